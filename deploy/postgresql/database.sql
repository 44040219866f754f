-- Create the empty database, and grant the roles their rights in it. Run it as a superuser after roles.sql,
-- and again to restore a backup, after you have renamed the old database: psql -X -f database.sql
\set ON_ERROR_STOP on

CREATE DATABASE assess OWNER assess ENCODING 'UTF8' TEMPLATE template0;
REVOKE CONNECT, TEMPORARY ON DATABASE assess FROM PUBLIC;
GRANT CONNECT ON DATABASE assess TO assess_web;
\connect assess
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO assess;
GRANT USAGE ON SCHEMA public TO assess_web;
ALTER DEFAULT PRIVILEGES FOR ROLE assess IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO assess_web;
ALTER DEFAULT PRIVILEGES FOR ROLE assess IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO assess_web;
