-- Of which turn of which conversation a message is, so that a reaction to it finds the turn.
ALTER TABLE sent_message_t ADD COLUMN topic varchar(128), ADD COLUMN turn_id uuid;
CREATE INDEX ix_sent_message_message ON sent_message_t (host_id, bot, chat, message) WHERE turn_id IS NOT NULL;
