package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.domain.memory.Maker;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.UnitBuilder;
import dev.parley.domain.memory.consolidate.Change;
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.FactSource;
import dev.parley.domain.memory.consolidate.Observation;
import dev.parley.domain.memory.index.UnitIndex;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observations of a bank. Rules join facts that say the same into one observation, in the decision that learns them.
 *
 * <p>Facts with other tags or of another type are never joined: an observation is visible to those who see its facts,
 * and an agent repeating something is no evidence of what a person said. A document counts as evidence once, however
 * often it repeats a fact. The text and vector of an observation are those of one of its facts.
 *
 * <p>An observation rests on at least two active facts: when one is retired, it is rebuilt from the others or retired.
 * A superseded fact stays superseded even if the newer fact is retired.
 */
final class Observations {
    /** Number of nearby observations that a fact is compared with. It is also compared with the facts linked to it. */
    static final int NEAREST = 10;

    /** Maximum facts of one theme that are examined, over all tags. */
    private static final int MAX_OF_THEME = 100;

    /**
     * Maximum facts of a chunk that are consolidated, which keeps a decision to a few milliseconds; chunks rarely have
     * as many.
     */
    static final int MAX_FACTS = 50;

    /** Maximum facts that an observation rests on, as each version lists all. */
    static final int MAX_SOURCES = 100;

    private static final String CONTRADICTED = "a newer fact contradicts it";

    private final MemoryDraft draft;
    /** Units of this decision by id; caches those of the bank. */
    private final Map<UUID, UnitLearned> units = new HashMap<>();

    private final Map<UUID, String> names = new HashMap<>();
    /** Units retired by this decision. */
    private final Set<UUID> retired = new HashSet<>();

    Observations(MemoryDraft draft) {
        this.draft = draft;
    }

    /** Consolidates the facts learned by this decision. */
    static void consolidate(MemoryDraft draft) {
        List<UnitLearned> embedded = draft.learnedUnits()
                .filter(event -> event.unit().vector() != null)
                .toList();
        for (FactType type : List.of(FactType.WORLD, FactType.EXPERIENCE)) {
            List<UnitLearned> newFacts = embedded.stream()
                    .filter(event -> event.unit().type() == type)
                    .limit(MAX_FACTS)
                    .toList();
            if (!newFacts.isEmpty()) {
                new Observations(draft).consolidate(newFacts);
            }
        }
    }

    private void consolidate(List<UnitLearned> newFacts) {
        for (UnitLearned event : newFacts) {
            units.put(event.unit().id(), event);
            event.mentions().forEach(mention -> names.put(mention.entity(), mention.name()));
        }
        Collection<UnitLearned> facts = distinct(newFacts.stream()
                .flatMap(event -> Stream.of(Stream.of(event), linkedUnits(event), ofTheme(event)))
                .flatMap(related -> related));
        Unit first = newFacts.getFirst().unit();
        Collection<UnitLearned> observations = distinct(Stream.concat(
                newFacts.stream().flatMap(this::nearObservations),
                facts.stream()
                        .flatMap(fact -> draft.memory().derivedFrom(fact.unit().id()).stream())
                        .flatMap(id -> observation(id, first))));
        Consolidation.byRules(
                        facts.stream().map(this::source).toList(),
                        observations.stream().map(this::observation).toList())
                .forEach(this::apply);
    }

    /** The units without duplicates, in order of their first occurrence. */
    private static Collection<UnitLearned> distinct(Stream<UnitLearned> units) {
        var distinct = new LinkedHashMap<UUID, UnitLearned>();
        units.forEach(event -> distinct.put(event.unit().id(), event));
        return distinct.values();
    }

    private Stream<UnitLearned> linkedUnits(UnitLearned event) {
        return event.links().stream()
                .filter(link -> link.type() == LinkType.SEMANTIC && link.weight() >= Consolidation.RELATED_COSINE)
                .filter(link -> draft.memory().isActive(link.to()))
                .map(link -> unit(link.to()))
                .filter(other -> isComparable(other.unit(), event.unit()));
    }

    /**
     * Facts about the same attribute of the same subject. In a shared bank, "I" is a different person each time, so it
     * has no theme.
     */
    private Stream<UnitLearned> ofTheme(UnitLearned event) {
        boolean several = draft.state().open().user() == null;
        return UnitIndex.theme(event).filter(theme -> !several || !theme.isOfSpeaker()).stream()
                .flatMap(theme -> draft.memory().ofTheme(theme, MAX_OF_THEME).stream())
                .map(this::unit)
                .filter(other -> isComparable(other.unit(), event.unit()))
                .limit(NEAREST);
    }

    private Stream<UnitLearned> nearObservations(UnitLearned event) {
        Unit unit = event.unit();
        return draft.view().nearest(unit, FactType.OBSERVATION, Consolidation.RELATED_COSINE, NEAREST).stream()
                .flatMap(neighbour -> observation(neighbour.unit(), unit));
    }

    /** The observation of this id, if it can be compared with a fact. */
    Stream<UnitLearned> observation(UUID id, Unit fact) {
        return Stream.of(id)
                .filter(unit -> draft.memory().isActive(unit, FactType.OBSERVATION))
                .map(this::unit)
                .filter(observation ->
                        draft.memory().isOfType(observation.unit().sources().getFirst(), fact.type()))
                .filter(observation -> isComparable(observation.unit(), fact));
    }

    /** Whether two units may be joined: the same people see both. */
    static boolean isComparable(Unit first, Unit second) {
        return Set.copyOf(first.tags()).equals(Set.copyOf(second.tags()))
                && first.vector() != null
                && Objects.equals(first.generation(), second.generation());
    }

    UnitLearned unit(UUID id) {
        return units.computeIfAbsent(
                id, _ -> draft.memory().unit(id).orElseThrow(() -> new IllegalStateException("no unit " + id)));
    }

    FactSource source(UnitLearned event) {
        return source(event, names(event));
    }

    /** A unit that has a vector, as a source of consolidation under these names of its entities. */
    static FactSource source(UnitLearned event, List<String> names) {
        Unit unit = event.unit();
        return new FactSource(
                unit.id().toString(),
                unit.text(),
                names,
                unit.mentionedAt(),
                unit.occurred() != null,
                Objects.requireNonNull(unit.vector()).values());
    }

    Observation observation(UnitLearned event) {
        Unit unit = event.unit();
        return new Observation(
                unit.id().toString(),
                unit.text(),
                names(event),
                proofs(unit).stream().map(UUID::toString).toList(),
                unit.mentionedAt(),
                Objects.requireNonNull(unit.vector()).values());
    }

    /** The current names of the unit's entities, which may be fuller than when it was learned. */
    private List<String> names(UnitLearned event) {
        return event.mentions().stream()
                .map(mention -> names.computeIfAbsent(
                        mention.entity(),
                        id -> draft.memory()
                                .entities()
                                .find(id)
                                .map(entity -> entity.name().text())
                                .orElse(mention.name())))
                .toList();
    }

    private void apply(Change change) {
        switch (change) {
            case Change.Create create -> create(create);
            case Change.Update update -> update(update);
            case Change.Delete delete -> retire(id(delete.id()), delete.reason(), null);
            case Change.Keep _ -> {}
        }
    }

    private void create(Change.Create create) {
        List<UnitLearned> sources = oncePerDocument(List.of(), ids(create.sources()));
        UnitLearned wording = wording(create.text(), sources);
        UUID current = wording.unit().id();
        if (sources.size() > 1 && draft.hasRoom()) {
            current = newId(draft);
            learn(current, 1, sources, wording, null);
        }
        supersedeAll(create.outdated(), current);
    }

    /** The id of an observation that is learned by the next event. */
    static UUID newId(MemoryDraft draft) {
        return Ids.of("observation", draft.state().open().id(), draft.state().lastSeq() + 1);
    }

    private void update(Change.Update update) {
        UnitLearned previous = unit(id(update.id()));
        Unit before = previous.unit();
        List<UnitLearned> counted = update.contradicts()
                ? List.of()
                : proofs(before).stream().map(this::unit).toList();
        List<UnitLearned> sources = oncePerDocument(counted, ids(update.sources()));
        UUID current = before.id();
        if (sources.size() == 1 && (update.contradicts() || !isByModel(previous))) {
            current = sources.getFirst().unit().id();
            retire(before.id(), update.reason(), current);
        } else if (sources.size() > counted.size()) {
            UnitLearned wording =
                    isByModel(previous) && !update.contradicts() ? previous : wording(update.text(), sources);
            learn(before.id(), before.version() + 1, sources, wording, update.reason());
        }
        supersedeAll(update.outdated(), current);
    }

    /** Whether a model wrote the text: then it is kept when further facts confirm it. */
    private static boolean isByModel(UnitLearned event) {
        return event.maker() != null && event.maker().model() != null;
    }

    /**
     * The facts that support an observation: the first of its sources. The others may have contributed to its text.
     */
    static List<UUID> proofs(Unit observation) {
        return observation
                .sources()
                .subList(
                        0,
                        Math.min(observation.proofCount(), observation.sources().size()));
    }

    /** The facts that count already, and one for each further document. */
    List<UnitLearned> oncePerDocument(List<UnitLearned> counted, List<UUID> sources) {
        var proofs = new ArrayList<>(counted);
        var documents = new HashSet<@Nullable UUID>();
        counted.forEach(event -> documents.add(event.unit().docId()));
        sources.stream()
                .map(this::unit)
                .filter(event -> proofs.size() < MAX_SOURCES)
                .filter(event -> documents.add(event.unit().docId()))
                .forEach(proofs::add);
        return proofs;
    }

    /** The source with this text; if it was not counted, the newest of the others. */
    private static UnitLearned wording(String text, Collection<UnitLearned> sources) {
        Comparator<UnitLearned> byText =
                Comparator.comparing(event -> event.unit().text().equals(text));
        return sources.stream()
                .max(byText.thenComparing(event -> event.unit().mentionedAt())
                        .thenComparing(event -> event.unit().id()))
                .orElseThrow();
    }

    private void supersedeAll(List<String> facts, UUID successor) {
        facts.forEach(fact -> supersede(id(fact), successor));
    }

    /** A fact is superseded by a newer one; other observations that rest on it are rebuilt or retired. */
    void supersede(UUID fact, UUID successor) {
        retire(fact, CONTRADICTED, successor);
        draft.memory().derivedFrom(fact).stream()
                .filter(id -> !id.equals(successor)
                        && !retired.contains(id)
                        && draft.memory().isActive(id, FactType.OBSERVATION)
                        && unit(id).unit().sources().contains(fact))
                .sorted()
                .filter(id -> !rebuild(id, retired, CONTRADICTED))
                .forEach(id -> retire(id, CONTRADICTED, successor));
    }

    void retire(UUID unit, String reason, @Nullable UUID successor) {
        retired.add(unit);
        draft.emit(meta -> new UnitRetired(meta, unit, reason, successor));
    }

    /** @param wording the source whose text and vector the observation takes */
    private void learn(UUID id, int version, List<UnitLearned> sources, UnitLearned wording, @Nullable String reason) {
        Unit worded = wording.unit();
        List<Unit> facts = sources.stream().map(UnitLearned::unit).toList();
        List<UUID> earlier = worded.type() == FactType.OBSERVATION ? worded.sources() : List.of();
        Unit unit = unit(
                id,
                version,
                worded.text(),
                worded,
                facts,
                Stream.concat(facts.stream().map(Unit::id), earlier.stream())
                        .distinct()
                        .toList(),
                worded.generation(),
                worded.vector());
        Maker maker = isByModel(wording) && worded.type() == FactType.OBSERVATION
                ? wording.maker()
                : Maker.rules(Consolidation.VERSION);
        learn(meta -> new UnitLearned(meta, unit, wording.mentions(), List.of(), reason, maker));
    }

    /**
     * A version of an observation.
     *
     * @param model unit whose context and tags it takes
     * @param proofs the supporting facts
     * @param sources ids of all units that the text may contain content of, supporting facts first
     */
    static Unit unit(
            UUID id,
            int version,
            String text,
            Unit model,
            List<Unit> proofs,
            List<UUID> sources,
            @Nullable String generation,
            @Nullable Vector vector) {
        return UnitBuilder.builder()
                .id(id)
                .version(version)
                .type(FactType.OBSERVATION)
                .text(text)
                .context(model.context())
                .occurred(occurrenceTime(proofs))
                .mentionedAt(proofs.stream()
                        .map(Unit::mentionedAt)
                        .max(Instant::compareTo)
                        .orElseThrow())
                .tags(model.tags())
                .proofCount(proofs.size())
                .sources(sources)
                .generation(generation)
                .vector(vector)
                .build();
    }

    /** Makes a learned unit visible to the next change. */
    void learn(Function<MemoryMeta, UnitLearned> event) {
        draft.emit(meta -> {
            UnitLearned learned = event.apply(meta);
            units.put(learned.unit().id(), learned);
            return learned;
        });
    }

    /** The period from the first to the last of the facts; null if none has a time. */
    private static @Nullable TimeSpan occurrenceTime(List<Unit> facts) {
        List<TimeSpan> times = facts.stream()
                .map(Unit::occurred)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
        return times.isEmpty()
                ? null
                : new TimeSpan(
                        times.stream()
                                .map(TimeSpan::from)
                                .min(Instant::compareTo)
                                .orElseThrow(),
                        times.stream().map(TimeSpan::to).max(Instant::compareTo).orElseThrow());
    }

    private static List<UUID> ids(List<String> ids) {
        return ids.stream().map(Observations::id).toList();
    }

    private static UUID id(String id) {
        return Ids.parse(id);
    }

    /** Retires active units; observations that rest on them are rebuilt or retired. */
    static void retire(MemoryDraft draft, List<UUID> units, String reason) {
        var observations = new Observations(draft);
        List<UUID> active = units.stream().filter(draft.memory()::isActive).toList();
        active.forEach(unit -> observations.retire(unit, reason, null));
        Set<UUID> removed = Set.copyOf(active);
        active.stream()
                .flatMap(unit -> draft.memory().derivedFrom(unit).stream())
                .distinct()
                .sorted()
                .filter(unit -> !removed.contains(unit) && observations.restsOn(unit, removed))
                .forEach(unit -> observations.sourceRetired(unit, removed));
    }

    private void sourceRetired(UUID unit, Set<UUID> removed) {
        switch (draft.memory().typeOf(unit).orElseThrow()) {
            case OPINION -> OpinionFormation.doubt(draft, unit);
            case MENTAL_MODEL -> {} // it is stale now, and refreshed soon
            case WORLD, EXPERIENCE, OBSERVATION -> {
                if (!rebuild(unit, removed, "one of its facts is no longer considered true")) {
                    retire(unit, "its facts are no longer considered true", null);
                }
            }
        }
    }

    private boolean restsOn(UUID unit, Set<UUID> removed) {
        return draft.memory().isActive(unit)
                && unit(unit).unit().sources().stream().anyMatch(removed::contains);
    }

    /**
     * Rebuilds an erased observation from its remaining facts; does nothing if too few are left, or it was not an
     * observation.
     */
    static void restore(MemoryDraft draft, UUID unit, Set<UUID> removed) {
        new Observations(draft).rebuild(unit, removed, "some of its facts were erased");
    }

    /**
     * Makes a new version of an active observation from its remaining facts. If too few are left or they do not agree,
     * queues them for consolidation by a model.
     *
     * @return whether there is a new version
     */
    private boolean rebuild(UUID id, Set<UUID> removed, String reason) {
        if (!draft.memory().isActive(id, FactType.OBSERVATION)) {
            return false;
        }
        Unit before = unit(id).unit();
        List<UUID> remaining = before.sources().stream()
                .filter(source -> !removed.contains(source) && isFact(source))
                .toList();
        Optional<Change.Create> rebuilt = largestObservation(remaining);
        if (rebuilt.isEmpty()) {
            ConsolidationCalls.requeue(draft, remaining);
            return false;
        }
        List<UnitLearned> sources = oncePerDocument(List.of(), ids(rebuilt.get().sources()));
        learn(id, before.version() + 1, sources, wording(rebuilt.get().text(), sources), reason);
        return true;
    }

    /** The observation on the most of these facts that rules make; empty if they make none. */
    private Optional<Change.Create> largestObservation(List<UUID> facts) {
        List<FactSource> sources = facts.stream()
                .map(this::unit)
                .filter(fact -> fact.unit().vector() != null)
                .map(this::source)
                .toList();
        return Consolidation.byRules(sources, List.of()).stream()
                .filter(Change.Create.class::isInstance)
                .map(Change.Create.class::cast)
                .filter(create ->
                        oncePerDocument(List.of(), ids(create.sources())).size() > 1)
                .max(Comparator.comparingInt(create -> create.sources().size()));
    }

    /** Whether the unit is an active fact. */
    private boolean isFact(UUID id) {
        return draft.memory().isActive(id)
                && draft.memory().typeOf(id).filter(FactType::isFact).isPresent();
    }
}
