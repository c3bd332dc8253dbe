package dev.parley.platform.collection;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of so many entries: each further one takes the place of the one that has been there longest. For one thread. */
public final class NewestMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    /** @param most entries that it keeps */
    public NewestMap(int most) {
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
