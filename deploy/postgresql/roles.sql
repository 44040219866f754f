-- Create the roles and set their timeouts. Run it once, as a superuser on the primary, before database.sql:
--   psql -X -f roles.sql
-- Put the passwords in the environment, because everybody on the machine can read a command line:
-- WEB_PASSWORD and COMMANDS_PASSWORD. If one is missing, the script stops.
-- Timeouts belong to the role, because a pooler in transaction mode has no session to set them in.
\set ON_ERROR_STOP on
\getenv web_password WEB_PASSWORD
\getenv commands_password COMMANDS_PASSWORD

-- Commands and releases: this role owns the tables and connects without the pooler.
CREATE ROLE assess LOGIN PASSWORD :'commands_password';
-- Requests queue up behind a migration that waits for a lock, so it gives up instead.
ALTER ROLE assess SET lock_timeout = '2s';
ALTER ROLE assess SET idle_in_transaction_session_timeout = '10min';

-- The web process: this role changes rows, never tables.
CREATE ROLE assess_web LOGIN PASSWORD :'web_password' CONNECTION LIMIT 80;
-- By then the visitor has left, and a waiting thread serves nobody else.
ALTER ROLE assess_web SET statement_timeout = '15s';
-- PostgreSQL applies it to the queue for a row and to the row, so a wait may take twice as long.
ALTER ROLE assess_web SET lock_timeout = '2s';
ALTER ROLE assess_web SET idle_in_transaction_session_timeout = '15s';
