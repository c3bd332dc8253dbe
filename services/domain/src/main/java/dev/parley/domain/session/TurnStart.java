package dev.parley.domain.session;

import java.util.UUID;

/** The first entry of a turn; {@code bytes} is the total size of all entries before. */
public record TurnStart(UUID turnId, long seq, long entry, long bytes) {}
