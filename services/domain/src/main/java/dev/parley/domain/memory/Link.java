package dev.parley.domain.memory;

import java.util.UUID;

/**
 * That one unit of a bank is related to another one of the same bank.
 *
 * @param weight how much, from 0 to 1
 */
public record Link(UUID from, UUID to, LinkType type, double weight) {
    /** @throws IllegalArgumentException for a unit that is related to itself, a weight out of bounds, or a type that is never stored */
    public Link {
        if (from.equals(to)) {
            throw new IllegalArgumentException("a unit is not linked to itself: " + from);
        }
        if (!(weight >= 0 && weight <= 1)) {
            throw new IllegalArgumentException("a link's weight is from 0 to 1, not " + weight);
        }
        if (type == LinkType.ENTITY) {
            throw new IllegalArgumentException("what is about the same entity is found by the entity, not by a link");
        }
    }
}
