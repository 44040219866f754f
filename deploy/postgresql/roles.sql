-- The database and who may do what in it. Once, on the primary, by a superuser:
--   psql -v web_password=… -v commands_password=… -v standby_password=… -f roles.sql
-- Timeouts stand with the role, as a pooler in transaction mode keeps no session in which to set them.
\set ON_ERROR_STOP on

-- Commands and releases: owns the tables. Reaches PostgreSQL without the pooler.
CREATE ROLE assess LOGIN PASSWORD :'commands_password';
-- A migration that waits for a lock lets every request queue up behind it: it gives up instead.
ALTER ROLE assess SET lock_timeout = '2s';
ALTER ROLE assess SET idle_in_transaction_session_timeout = '10min';

-- The web process: rows, never tables.
CREATE ROLE assess_web LOGIN PASSWORD :'web_password' CONNECTION LIMIT 80;
-- Nobody waits for a page any longer, and a thread that waits serves nobody else.
ALTER ROLE assess_web SET statement_timeout = '15s';
-- It counts once for the queue at a row and once for the row: up to twice as long in all.
ALTER ROLE assess_web SET lock_timeout = '2s';
ALTER ROLE assess_web SET idle_in_transaction_session_timeout = '15s';

-- The standby, and the backup of the whole server.
CREATE ROLE assess_standby LOGIN REPLICATION PASSWORD :'standby_password';

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
