package dev.parley.agents.model.chat;

import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object assembled from stream deltas. Selected strings and all arrays are concatenated; of other members the last
 * value counts. Values keep their exact text.
 */
final class StreamedObject {
    private final Set<String> inPieces;
    private final Map<String, Member> members = new LinkedHashMap<>();

    private static final class Member {
        private final StreamedText text = new StreamedText();
        private final List<String> items = new ArrayList<>();
        private @Nullable String value;
    }

    /** @param inPieces the names of members whose strings are concatenated */
    StreamedObject(Set<String> inPieces) {
        this.inPieces = inPieces;
    }

    /** Adds all members of an object. */
    void addAll(VerbatimJson object) {
        object.members().forEach(this::add);
    }

    void add(String name, VerbatimJson value) {
        Member member = members.computeIfAbsent(name, _ -> new Member());
        if (value.isString() && inPieces.contains(name)) {
            member.text.add(value.string());
        } else if (!value.items().isEmpty()) {
            value.items().forEach(item -> member.items.add(item.text()));
        } else if (value.isPresent() || member.value == null) {
            member.value = value.text();
        }
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    void writeTo(JsonOut out) {
        members.forEach((name, member) -> {
            if (!member.items.isEmpty()) {
                out.putRaw(name, "[" + String.join(",", member.items) + "]");
            } else if (!member.text.isEmpty()) {
                member.text.end();
                out.put(name, member.text.toString());
            } else {
                out.putRaw(name, member.value == null ? "\"\"" : member.value);
            }
        });
    }
}
