package dev.parley.memory.search;

import dev.parley.domain.memory.LinkType;

/**
 * A link, seen from one end.
 *
 * @param row of the other end
 * @param weight from 0 to 1
 * @param outgoing whether it points to the other end
 */
public record LinkEnd(int row, LinkType type, double weight, boolean outgoing) {}
