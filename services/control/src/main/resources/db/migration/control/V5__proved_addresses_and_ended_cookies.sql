-- An address belongs to the account whose owner has proved it. Others may have entered it: they keep nobody from theirs.
DROP INDEX idx_users_email;
CREATE UNIQUE INDEX idx_users_email ON user_t (email_key) WHERE email_proved_ts IS NOT NULL;
CREATE INDEX idx_users_entered_email ON user_t (email_key) WHERE email_key IS NOT NULL;

-- Cookies of the console whose browser signed out, by digests of their ids, until they expire. No tenant owns a row: all
-- processes ask before they know for whom.
CREATE TABLE ended_cookie_t (
  cookie            bytea        PRIMARY KEY CHECK (length(cookie) = 32),
  until_ts          timestamptz  NOT NULL
);
CREATE INDEX idx_ended_cookies_until ON ended_cookie_t (until_ts);
GRANT SELECT, INSERT, DELETE ON ended_cookie_t TO "${appRole}";
