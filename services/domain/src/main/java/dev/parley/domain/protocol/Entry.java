package dev.parley.domain.protocol;

import dev.parley.domain.content.Message;
import java.util.UUID;

/** One message of a session's context, as the store keeps it: an entry an item, never a whole history in one record. */
public record Entry(UUID turnId, long turnSeq, Message message) {}
