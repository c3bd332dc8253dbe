package dev.parley.workflows.json;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of an object, with their total size. */
public final class JsonMembers extends AbstractMap<String, Json> implements SequencedMap<String, Json> {
    private final SequencedMap<String, Json> members;
    private final Extent extent;

    JsonMembers(SequencedMap<String, Json> members) {
        this.members = Collections.unmodifiableSequencedMap(members);
        extent = Extent.of(members.values()).plus(members.keySet());
    }

    @Override
    public @Nullable Json get(Object name) {
        return members.get(name);
    }

    @Override
    public boolean containsKey(Object name) {
        return members.containsKey(name);
    }

    @Override
    public Set<Map.Entry<String, Json>> entrySet() {
        return members.entrySet();
    }

    @Override
    public SequencedMap<String, Json> reversed() {
        return members.reversed();
    }

    Extent extent() {
        return extent;
    }
}
