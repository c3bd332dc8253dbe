-- What a channel has to know of a chat besides its id, such as where to send to.
ALTER TABLE chat_t ADD COLUMN note varchar(1000);
