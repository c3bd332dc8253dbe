package dev.parley.platform.collection;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map with a maximum size that evicts the oldest entry. Not thread-safe. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int maxEntries;

    /** @param maxEntries maximum number of entries */
    public BoundedMap(int maxEntries) {
        this.maxEntries = maxEntries;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > maxEntries;
    }
}
