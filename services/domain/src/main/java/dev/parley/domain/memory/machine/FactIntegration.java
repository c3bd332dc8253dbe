package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankState.Read;
import dev.parley.domain.memory.BankView.Neighbour;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.Fact;
import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.extract.RuleExtraction;
import dev.parley.domain.memory.index.Dated;
import dev.parley.domain.memory.machine.FactExtraction.Chunked;
import dev.parley.language.text.Entities;
import dev.parley.language.text.Entities.Candidate;
import dev.parley.language.text.Entities.Name;
import dev.parley.language.time.TimeSpan;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Integration of facts into a bank: resolves their entities and links them to known units. */
final class FactIntegration {
    /** Minimum cosine of semantic links. */
    static final double ALIKE_COSINE = 0.7;

    /** Maximum semantic links of a new unit. */
    static final int MAX_SEMANTIC_LINKS = 10;

    /** Number of temporal links to units before, and after a new unit. */
    static final int EACH_SIDE = 5;

    /** Maximum distance in time of temporal links. */
    static final Duration NEAR = Duration.ofHours(24);

    private static final double MIN_TEMPORAL = 0.3;
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMMM uuuu", Locale.ENGLISH);

    private FactIntegration() {}

    /** The text that is embedded for a fact: with its month in the speaker's zone, and its entities. */
    static String embeddingText(Fact fact, ZoneId zone) {
        return embeddingText(fact.text(), fact.occurred(), zone, fact.entities());
    }

    /** The text that is embedded for a unit by a later model: with the current names of its entities. */
    static String embeddingText(MemoryDraft draft, UnitLearned event) {
        Unit unit = event.unit();
        ZoneId zone = Optional.ofNullable(unit.docId())
                .flatMap(draft.memory()::document)
                .map(Document::zone)
                .orElse(TimeZones.UTC);
        return embeddingText(unit.text(), unit.occurred(), zone, event.names());
    }

    static String embeddingText(String statement, List<String> names) {
        return embeddingText(statement, null, TimeZones.UTC, names);
    }

    private static String embeddingText(
            String statement, @Nullable TimeSpan occurred, ZoneId zone, List<String> names) {
        var text = new StringBuilder(statement);
        if (occurred != null) {
            text.append(" (happened in ")
                    .append(MONTH.format(occurred.from().atZone(zone)))
                    .append(')');
        }
        if (!names.isEmpty()) {
            text.append(" [").append(String.join(", ", names)).append(']');
        }
        return text.toString();
    }

    static void learn(
            MemoryDraft draft,
            Chunked chunk,
            @Nullable Read read,
            List<Fact> facts,
            String generation,
            List<Vector> vectors) {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < facts.size(); i++) {
            Fact fact = facts.get(i);
            Unit unit = unit(draft, chunk, read, i, fact, generation, vectors.get(i));
            if (!draft.memory().hasUnit(unit.id()) && !draft.hasRoom()) {
                break; // the passage with the other facts is found by keywords
            }
            ids.add(unit.id());
            if (!draft.memory().isActive(unit.id())) {
                List<Mention> mentions = mentions(draft, fact, unit.date());
                List<Link> links = links(draft, unit, fact, ids);
                String reason = unit.version() == 1 ? null : "the document says it again";
                draft.emit(meta -> new UnitLearned(meta, unit, mentions, links, reason));
            }
        }
        Observations.consolidate(draft);
        OpinionFormation.weigh(draft);
    }

    private static Unit unit(
            MemoryDraft draft,
            Chunked chunk,
            @Nullable Read read,
            int index,
            Fact fact,
            String generation,
            Vector vector) {
        Document document = chunk.document();
        UUID id = Ids.of(
                "unit", draft.state().open().id(), document.id(), chunk.piece().hash(), index, extractor(read));
        return new Unit(
                id,
                document.id(),
                draft.memory().nextVersion(id),
                fact.type(),
                fact.text(),
                fact.context() == null ? document.context() : fact.context(),
                fact.confidence(),
                fact.occurred(),
                document.mentionedAt(),
                document.tags(),
                provenance(chunk, read, fact),
                1,
                List.of(),
                generation,
                vector);
    }

    private static String extractor(@Nullable Read read) {
        return read == null ? RuleExtraction.VERSION : read.extractor();
    }

    private static Provenance provenance(Chunked chunk, @Nullable Read read, Fact fact) {
        Piece piece = chunk.piece();
        return new Provenance(
                chunk.document().session(),
                chunk.document().turnId(),
                piece.hash(),
                piece.saying(),
                piece.from() + fact.from(),
                piece.from() + fact.to(),
                extractor(read),
                read == null ? null : read.prompt(),
                read == null ? null : read.model());
    }

    private static List<Mention> mentions(MemoryDraft draft, Fact fact, Instant time) {
        List<Name> names = fact.entities().stream().map(Name::of).toList();
        List<NewEntity> newEntities = names.isEmpty() ? List.of() : newEntities(draft, time);
        var mentions = new LinkedHashMap<UUID, Mention>();
        for (Name name : names) {
            var candidates = new ArrayList<Candidate>(newEntities);
            candidates.addAll(draft.memory().entities().like(name));
            UUID entity = Entities.resolve(name, candidates, names, time)
                    .map(Candidate::id)
                    .orElseGet(() -> Ids.of("entity", draft.state().open().id(), name.key()));
            mentions.putIfAbsent(entity, new Mention(entity, name.text()));
        }
        return List.copyOf(mentions.values());
    }

    /** An entity first mentioned by this decision. */
    private record NewEntity(UUID id, Name name, Instant lastSeen) implements Candidate {
        @Override
        public boolean wasBeside(String key) {
            return false;
        }

        @Override
        public int mentions() {
            return 1;
        }
    }

    private static List<NewEntity> newEntities(MemoryDraft draft, Instant time) {
        return draft.learnedUnits()
                .flatMap(event -> event.mentions().stream())
                .distinct()
                .map(mention -> new NewEntity(mention.entity(), Name.of(mention.name()), time))
                .toList();
    }

    private static List<Link> links(MemoryDraft draft, Unit unit, Fact fact, List<UUID> ids) {
        var links = new Links(unit.id());
        fact.relations().forEach(relation -> links.addRelation(ids.get(relation.fact()), relation.type()));
        List<Unit> newUnits = draft.learnedUnits()
                .map(UnitLearned::unit)
                .filter(other -> other.type() == unit.type() && !other.id().equals(unit.id()))
                .toList();
        alike(draft, unit, newUnits)
                .forEach(neighbour -> links.add(neighbour.unit(), LinkType.SEMANTIC, neighbour.cosine()));
        nearestInTime(draft, unit, newUnits)
                .forEach(other -> closeness(unit.date(), other.date())
                        .ifPresent(weight -> links.add(other.id(), LinkType.TEMPORAL, weight)));
        return links.all();
    }

    /** The links of one unit; one of each type to each other unit. */
    private static final class Links {
        private record To(UUID unit, LinkType type) {}

        private final UUID from;
        private final Map<To, Link> links = new LinkedHashMap<>();

        Links(UUID from) {
            this.from = from;
        }

        void add(UUID to, LinkType type, double weight) {
            if (!to.equals(from)) {
                links.putIfAbsent(new To(to, type), new Link(from, to, type, Math.clamp(weight, 0, 1)));
            }
        }

        /** Adds the relation in both directions. */
        void addRelation(UUID to, LinkType type) {
            if (to.equals(from)) {
                return;
            }
            BiConsumer<LinkType, LinkType> addBoth = (forward, backward) -> {
                links.putIfAbsent(new To(to, forward), new Link(from, to, forward, 1));
                links.putIfAbsent(new To(from, backward), new Link(to, from, backward, 1));
            };
            switch (type) {
                case CAUSES -> addBoth.accept(LinkType.CAUSES, LinkType.CAUSED_BY);
                case CAUSED_BY -> addBoth.accept(LinkType.CAUSED_BY, LinkType.CAUSES);
                case ENABLES, PREVENTS -> add(to, type, 1);
                case TEMPORAL, SEMANTIC, ENTITY ->
                    throw new IllegalArgumentException("no extractor says that facts are linked by " + type.code());
            }
        }

        List<Link> all() {
            return List.copyOf(links.values());
        }
    }

    private static List<Neighbour> alike(MemoryDraft draft, Unit unit, List<Unit> newUnits) {
        Vector vector = unit.vector();
        String generation = unit.generation();
        if (vector == null || generation == null) {
            return List.of();
        }
        var stored = draft.view().nearest(unit, unit.type(), ALIKE_COSINE, MAX_SEMANTIC_LINKS).stream();
        var added = newUnits.stream()
                .filter(other -> other.vector() != null && generation.equals(other.generation()))
                .map(other -> new Neighbour(other.id(), vector.cosine(other.vector())))
                .filter(neighbour -> neighbour.cosine() >= ALIKE_COSINE);
        return Stream.concat(stored, added)
                .sorted(Neighbour.NEAREST_FIRST)
                .limit(MAX_SEMANTIC_LINKS)
                .toList();
    }

    private static List<Dated> nearestInTime(MemoryDraft draft, Unit unit, List<Unit> newUnits) {
        var stored = draft.memory().around(unit.date(), unit.type(), EACH_SIDE).stream();
        var added = newUnits.stream().map(other -> new Dated(other.date(), other.id()));
        return Stream.concat(stored, added)
                .sorted(Comparator.comparing((Dated other) -> apart(unit.date(), other.date()))
                        .thenComparing(Dated::id))
                .limit(2L * EACH_SIDE)
                .toList();
    }

    /** Weight of a temporal link: 1 for the same time, decreasing to 0 at a day; empty beyond. */
    static Optional<Double> closeness(Instant first, Instant second) {
        Duration distance = apart(first, second);
        return distance.compareTo(NEAR) > 0
                ? Optional.empty()
                : Optional.of(Math.max(MIN_TEMPORAL, 1 - (double) distance.toSeconds() / NEAR.toSeconds()));
    }

    /** {@link Duration#abs} uses decimal arithmetic. */
    private static Duration apart(Instant first, Instant second) {
        return first.isBefore(second) ? Duration.between(first, second) : Duration.between(second, first);
    }
}
