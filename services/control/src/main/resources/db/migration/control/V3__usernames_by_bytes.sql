-- Usernames in the order of their bytes, in which those with a prefix are a range, whatever the collation of the database.
CREATE INDEX idx_users_username_bytes ON user_t (username_key COLLATE "C");
