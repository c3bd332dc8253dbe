package dev.parley.memory.search;

import dev.parley.domain.memory.LinkType;
import java.util.Arrays;

/** Links packed into a long each, as banks have millions of them. */
final class PackedLinks {
    static final long[] NONE = {};

    private static final LinkType[] TYPES = LinkType.values();
    private static final int FINEST = 0xFFFF;

    private PackedLinks() {}

    static long link(int node, LinkType type, double weight, boolean outgoing) {
        return (long) node << 32
                | (long) type.ordinal() << 20
                | (outgoing ? 1L << 16 : 0)
                | Math.round(weight * FINEST);
    }

    static int node(long link) {
        return (int) (link >>> 32);
    }

    static LinkType type(long link) {
        return TYPES[(int) (link >>> 20) & 0xF];
    }

    static boolean outgoing(long link) {
        return (link >>> 16 & 1) == 1;
    }

    static double weight(long link) {
        return (double) (link & FINEST) / FINEST;
    }

    /** Adds a link, or replaces one of the same type, direction and node. */
    static long[] with(long[] links, long link) {
        for (int i = 0; i < links.length; i++) {
            if (links[i] >>> 16 == link >>> 16) {
                long[] changed = links.clone();
                changed[i] = link;
                return changed;
            }
        }
        long[] extended = Arrays.copyOf(links, links.length + 1);
        extended[links.length] = link;
        return extended;
    }

    static long[] without(long[] links, int node) {
        return Arrays.stream(links).filter(link -> node(link) != node).toArray();
    }
}
