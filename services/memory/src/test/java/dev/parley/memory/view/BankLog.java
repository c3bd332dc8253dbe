package dev.parley.memory.view;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.BankChanged;
import dev.parley.domain.memory.MemoryEvent.DirectiveRemoved;
import dev.parley.domain.memory.MemoryEvent.DirectiveSet;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.MentalModelRemoved;
import dev.parley.domain.memory.MemoryEvent.MentalModelSet;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.MentalModel;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.Usage;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The events of a bank, written by hand. */
final class BankLog {
    static final Instant START = Instant.parse("2026-03-10T12:00:00Z");
    private static final RecordKey SESSION = RecordKey.of("test:ann");

    final List<MemoryEvent> events = new ArrayList<>();
    /** The first text of each document. */
    private final Map<String, String> firstTexts = new HashMap<>();

    private final Map<UUID, Integer> versions = new HashMap<>();
    private final Map<UUID, UUID> documents = new HashMap<>();

    final BankRef bank;

    BankLog(BankRef bank) {
        this.bank = bank;
        add(meta -> new BankChanged(meta, new BankProfile("of ann", 5, 3, 1, "She speaks for Ann.", "openai/gpt-5")));
    }

    private void add(Function<MemoryMeta, MemoryEvent> event) {
        long seq = events.size() + 1L;
        int back = seq % 5 == 0 ? 7 : 0; // as by the clock of another instance
        events.add(event.apply(new MemoryMeta(bank, seq, START.plusSeconds(seq - back), null, "ann")));
    }

    static UUID doc(String name) {
        return Ids.of("doc", name);
    }

    static UUID unit(String name) {
        return Ids.of("unit", name);
    }

    static UUID entity(String name) {
        return Ids.of("entity", name);
    }

    /** Each text is one chunk. */
    BankLog retained(String doc, String... texts) {
        firstTexts.put(doc, texts[0]);
        List<Piece> chunks = IntStream.range(0, texts.length)
                .mapToObj(i -> new Piece(i, 0, texts[i].length(), Sha256.hex(texts[i])))
                .toList();
        List<Utterance> sayings = Arrays.stream(texts)
                .map(text -> new Utterance(Role.USER, "Ann", text))
                .toList();
        add(meta -> new DocumentRetained(
                meta,
                new Document(
                        doc(doc),
                        SESSION,
                        Ids.of("turn", doc),
                        7L,
                        Sha256.hex(String.join("|", texts)),
                        sayings,
                        null,
                        List.of("work"),
                        START,
                        chunks,
                        null,
                        null)));
        return this;
    }

    /** A chunk of a document was read. */
    BankLog read(String doc, String text) {
        add(meta -> new PassagesEmbedded(meta, doc(doc), Sha256.hex(text), "test", List.of()));
        return this;
    }

    /** The first chunk of a document was read; does nothing for an unknown document. */
    BankLog read(String doc) {
        return firstTexts.containsKey(doc) ? read(doc, firstTexts.get(doc)) : this;
    }

    BankLog learned(String unit, @Nullable String doc, String text, String... entities) {
        return learned(
                unit,
                doc,
                text,
                List.of(),
                List.of(),
                Arrays.stream(entities)
                        .map(name -> new Mention(entity(name), name))
                        .toList());
    }

    BankLog learned(
            String unit,
            @Nullable String doc,
            String text,
            List<String> sources,
            List<Link> links,
            List<Mention> mentions) {
        var values = new float[BankTables.DIMENSIONS];
        IntStream.range(0, values.length).forEach(i -> values[i] = (float) Math.sin(i + (double) text.hashCode()));
        if (doc != null) {
            documents.put(unit(unit), doc(doc));
        }
        add(meta -> new UnitLearned(
                meta,
                new Unit(
                        unit(unit),
                        doc == null ? null : doc(doc),
                        versions.merge(unit(unit), 1, Integer::sum),
                        sources.isEmpty() ? FactType.WORLD : FactType.OBSERVATION,
                        text,
                        null,
                        null,
                        new TimeSpan(START.minusSeconds(3600 + Math.floorMod(text.hashCode(), 1_000)), START),
                        START,
                        List.of("work"),
                        doc == null
                                ? null
                                : new Provenance(
                                        SESSION,
                                        Ids.of("turn", doc),
                                        Sha256.hex(text),
                                        0,
                                        0,
                                        text.length(),
                                        "rules/1",
                                        null,
                                        null),
                        Math.max(1, sources.size()),
                        sources.stream().map(BankLog::unit).toList(),
                        "test",
                        Vector.of(values)),
                mentions,
                links,
                null));
        return this;
    }

    /** A unit gets a vector of another generation. */
    BankLog embedded(String unit, String generation) {
        return embedded(unit(unit), generation);
    }

    /** A unit or a reflection gets a vector of another generation. */
    BankLog embedded(UUID id, String generation) {
        var values = new float[BankTables.DIMENSIONS];
        values[0] = 1;
        add(meta -> new UnitEmbedded(meta, id, meta.seq() - 1, meta.at(), generation, Vector.of(values)));
        return this;
    }

    BankLog generation(String current, @Nullable String other) {
        add(meta -> new GenerationChanged(meta, current, other, false));
        return this;
    }

    BankLog retired(String unit, String reason) {
        add(meta -> new UnitRetired(meta, unit(unit), reason, null));
        return this;
    }

    /** A reflection that cites these units and documents, under the id of its question. */
    BankLog reflected(String question, String answer, UUID... sources) {
        List<String> ids = Arrays.stream(sources).map(UUID::toString).toList();
        add(meta -> new Reflected(
                meta,
                Ids.of("reflection", question),
                null,
                SESSION,
                question,
                List.of("work"),
                answer,
                ids,
                ids,
                "model-1",
                "0123",
                "test/thinker",
                2,
                new Usage(10, 5, 0, 0, 0, 7L),
                null,
                null,
                null));
        return this;
    }

    BankLog model(String name, boolean removed) {
        UUID id = unit(name);
        add(meta -> removed
                ? new MentalModelRemoved(meta, id)
                : new MentalModelSet(
                        meta,
                        new MentalModel(
                                id, name, "What about " + name + "?", List.of("work"), MentalModel.DEFAULT_INTERVAL)));
        return this;
    }

    /** A version of the answer to a mental model. */
    BankLog answered(String model, int version, String text, String source) {
        add(meta -> new UnitLearned(
                meta,
                new Unit(
                        unit(model),
                        null,
                        version,
                        FactType.MENTAL_MODEL,
                        text,
                        null,
                        null,
                        null,
                        START,
                        List.of("work"),
                        null,
                        1,
                        List.of(unit(source)),
                        null,
                        null),
                List.of(),
                List.of(),
                version == 1 ? null : "what it rests on has changed"));
        return this;
    }

    BankLog directive(String name, int priority, boolean active) {
        add(meta -> new DirectiveSet(meta, new Directive(Ids.of(name), name, "Never say " + name, priority, active)));
        return this;
    }

    BankLog noDirective(String name) {
        add(meta -> new DirectiveRemoved(meta, Ids.of(name)));
        return this;
    }

    BankLog forgottenUnits(List<UUID> units) {
        return forgottenIds(List.of(), units, false);
    }

    BankLog forgotten(List<String> docs, List<String> units, boolean whole) {
        return forgottenIds(
                docs.stream().map(BankLog::doc).toList(),
                units.stream().map(BankLog::unit).toList(),
                whole);
    }

    /** A forgotten unit that is learned again starts at version 1. */
    private BankLog forgottenIds(List<UUID> docs, List<UUID> units, boolean whole) {
        add(meta -> new Forgotten(meta, Ids.of("erasure", meta.seq()), docs, units, whole));
        versions.keySet().removeIf(unit -> whole || units.contains(unit) || docs.contains(documents.get(unit)));
        return this;
    }
}
