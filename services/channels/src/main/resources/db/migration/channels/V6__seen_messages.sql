-- The message of a chat that was taken in last, for channels that do not bring again what was not.
ALTER TABLE chat_t ADD COLUMN seen varchar(126);
