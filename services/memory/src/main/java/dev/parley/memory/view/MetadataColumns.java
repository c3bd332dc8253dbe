package dev.parley.memory.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Maker;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.platform.database.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Content of the JSON columns; null values are omitted. */
final class MetadataColumns {
    /** Separator of the sayings of a document in its text. */
    static final String BETWEEN = "\n\n";

    private MetadataColumns() {}

    static ObjectNode disposition(BankProfile profile) {
        return node().put("skepticism", profile.skepticism())
                .put("literalism", profile.literalism())
                .put("empathy", profile.empathy());
    }

    /** {@code sayings} has the range of each saying in the text, {@code chunks} that of each chunk, in UTF-16 units. */
    static ObjectNode of(DocumentRetained event) {
        Document document = event.document();
        ObjectNode node = node();
        put(node, "command", event.meta().commandId());
        put(node, "session", document.session());
        put(node, "turn", document.turnId());
        if (document.turnSeq() != null) {
            node.put("turnSeq", document.turnSeq());
        }
        put(node, "context", document.context());
        tags(node, document.tags());
        put(node, "mentionedAt", document.mentionedAt());
        put(node, "forgetAt", document.forgetAt());
        List<Integer> starts = addSayings(node.putArray("sayings"), document);
        chunks(node.putArray("chunks"), document, starts);
        return node;
    }

    /** @return the index at which each saying begins in the text */
    private static List<Integer> addSayings(ArrayNode sayings, Document document) {
        var starts = new ArrayList<Integer>();
        int from = 0;
        for (Utterance utterance : document.sayings()) {
            starts.add(from);
            ObjectNode saying = sayings.addObject();
            put(saying, "role", utterance.role().name().toLowerCase(Locale.ROOT));
            put(saying, "speaker", utterance.speaker());
            saying.put("from", from).put("to", from + utterance.text().length());
            from += utterance.text().length() + BETWEEN.length();
        }
        return starts;
    }

    private static void chunks(ArrayNode chunks, Document document, List<Integer> starts) {
        for (Document.Piece chunk : document.chunks()) {
            int start = starts.get(chunk.saying());
            chunks.addObject()
                    .put("hash", chunk.hash())
                    .put("from", start + chunk.from())
                    .put("to", start + chunk.to());
        }
    }

    static ObjectNode of(UnitLearned event) {
        Unit unit = event.unit();
        ObjectNode node = node().put("version", unit.version());
        if (unit.confidence() != null) {
            node.put("confidence", unit.confidence());
        }
        tags(node, unit.tags());
        put(node, "generation", unit.generation());
        put(node, "reason", event.reason());
        if (unit.provenance() != null) {
            provenance(node.putObject("provenance"), unit.provenance());
        } else if (event.maker() != null) {
            maker(node.putObject("provenance"), event.maker());
        }
        return node;
    }

    /** {@code from} and {@code to} are indexes in the saying, in UTF-16 units. */
    private static void provenance(ObjectNode node, Provenance provenance) {
        put(node, "session", provenance.session());
        put(node, "turn", provenance.turnId());
        put(node, "chunk", provenance.chunk());
        node.put("saying", provenance.saying()).put("from", provenance.from()).put("to", provenance.to());
        put(node, "extractor", provenance.extractor());
        put(node, "prompt", provenance.prompt());
        put(node, "model", provenance.model());
    }

    private static void maker(ObjectNode node, Maker maker) {
        put(node, "extractor", maker.how());
        put(node, "prompt", maker.prompt());
        put(node, "model", maker.model());
    }

    static ObjectNode of(Reflected event) {
        ObjectNode node = node();
        var basedOn = node.putArray("basedOn");
        event.basedOn().forEach(basedOn::add);
        tags(node, event.tags());
        put(node, "session", event.session());
        put(node, "generation", event.generation());
        put(node, "how", event.how());
        put(node, "prompt", event.prompt());
        put(node, "model", event.model());
        node.put("modelCalls", event.modelCalls());
        node.put("inputTokens", event.usage().input())
                .put("outputTokens", event.usage().output());
        if (event.usage().costNanos() != null) {
            node.put("costNanos", event.usage().costNanos());
        }
        return node;
    }

    static ObjectNode of(UnitRetired event) {
        ObjectNode node = node();
        ObjectNode retired = node.putObject("retired");
        put(retired, "reason", event.reason());
        put(retired, "at", event.meta().at());
        put(retired, "replacedBy", event.replacedBy());
        return node;
    }

    static ArrayNode list(List<String> texts) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        texts.forEach(text -> array.add(RowBatch.clean(text)));
        return array;
    }

    private static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static void tags(ObjectNode node, List<String> tags) {
        if (!tags.isEmpty()) {
            var array = node.putArray("tags");
            tags.forEach(tag -> array.add(RowBatch.clean(tag)));
        }
    }

    private static void put(ObjectNode node, String name, @Nullable Object value) {
        if (value != null) {
            node.put(name, RowBatch.clean(value.toString()));
        }
    }
}
