-- Who reaches the database, and for how long. Once, on the primary, by a superuser, before database.sql:
--   psql -X -f roles.sql
-- with the passwords in the environment, as everybody on the machine can read a command line:
-- WEB_PASSWORD, COMMANDS_PASSWORD, STANDBY_PASSWORD. Without one of them it stops.
-- Timeouts stand with the role, as a pooler in transaction mode keeps no session in which to set them.
\set ON_ERROR_STOP on
\getenv web_password WEB_PASSWORD
\getenv commands_password COMMANDS_PASSWORD
\getenv standby_password STANDBY_PASSWORD

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
