package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.consolidate.Change;
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.Observation;
import dev.parley.domain.memory.consolidate.Source;
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
 * Consolidation by rules: joins facts that say the same into one observation, in the decision that learns them.
 *
 * <p>Facts with other tags or of another type are never joined: an observation is visible to those who see its facts,
 * and an agent repeating something is no evidence of what a person said. A document counts as evidence once, however
 * often it repeats a fact. The text and vector of an observation are those of one of its facts.
 *
 * <p>An observation rests on at least two active facts: when one is retired, it is rebuilt from the others or retired.
 * What a newer fact has superseded stays superseded even if that fact is retired.
 *
 * <p>It is long because every way to create, change or retire an observation maintains these invariants.
 */
final class Consolidating {
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
    private final Set<UUID> gone = new HashSet<>();

    Consolidating(MemoryDraft draft) {
        this.draft = draft;
    }

    // ---- learning

    /** Consolidates the facts learned by this decision. */
    static void consolidate(MemoryDraft draft) {
        List<UnitLearned> learned = draft.events().stream()
                .filter(UnitLearned.class::isInstance)
                .map(UnitLearned.class::cast)
                .filter(event -> event.unit().vector() != null)
                .toList();
        for (FactType type : List.of(FactType.WORLD, FactType.EXPERIENCE)) {
            List<UnitLearned> fresh = learned.stream()
                    .filter(event -> event.unit().type() == type)
                    .limit(MAX_FACTS)
                    .toList();
            if (!fresh.isEmpty()) {
                new Consolidating(draft).consolidate(fresh);
            }
        }
    }

    private void consolidate(List<UnitLearned> fresh) {
        for (UnitLearned event : fresh) {
            units.put(event.unit().id(), event);
            event.mentions().forEach(mention -> names.put(mention.entity(), mention.name()));
        }
        var facts = new LinkedHashMap<UUID, UnitLearned>();
        var observations = new LinkedHashMap<UUID, UnitLearned>();
        for (UnitLearned event : fresh) {
            facts.put(event.unit().id(), event);
            Stream.concat(near(event), ofTheme(event))
                    .forEach(other -> facts.put(other.unit().id(), other));
            nearObservations(event)
                    .forEach(other -> observations.put(other.unit().id(), other));
        }
        for (UUID fact : facts.keySet()) {
            draft.memory().madeOf(fact).stream()
                    .flatMap(id -> observation(id, fresh.getFirst().unit()))
                    .forEach(other -> observations.put(other.unit().id(), other));
        }
        Consolidation.byRules(
                        facts.values().stream().map(this::source).toList(),
                        observations.values().stream().map(this::observation).toList())
                .forEach(this::carryOut);
    }

    private Stream<UnitLearned> near(UnitLearned event) {
        return event.links().stream()
                .filter(link -> link.type() == LinkType.SEMANTIC && link.weight() >= Consolidation.RELATED)
                .filter(link -> draft.memory().holds(link.to()))
                .map(link -> unit(link.to()))
                .filter(other -> isComparable(other.unit(), event.unit()));
    }

    /**
     * Facts about the same attribute of the same subject. In a shared bank, "I" is a different person each time, so it
     * has no theme.
     */
    private Stream<UnitLearned> ofTheme(UnitLearned event) {
        boolean several = draft.state().open().user() == null;
        return BankMemory.theme(event).filter(theme -> !several || !theme.isOfSpeaker()).stream()
                .flatMap(theme -> draft.memory().ofTheme(theme, MAX_OF_THEME).stream())
                .map(this::unit)
                .filter(other -> isComparable(other.unit(), event.unit()))
                .limit(NEAREST);
    }

    private Stream<UnitLearned> nearObservations(UnitLearned event) {
        Unit unit = event.unit();
        return draft
                .view()
                .neighbours()
                .nearest(
                        Objects.requireNonNull(unit.vector()),
                        Objects.requireNonNull(unit.generation()),
                        FactType.OBSERVATION,
                        Consolidation.RELATED,
                        NEAREST)
                .stream()
                .flatMap(near -> observation(near.unit(), unit));
    }

    /** The observation of this id, if it can be compared with a fact. */
    Stream<UnitLearned> observation(UUID id, Unit fact) {
        return Stream.of(id)
                .filter(draft.memory()::holds)
                .filter(one -> draft.memory().typeOf(one).equals(Optional.of(FactType.OBSERVATION)))
                .map(this::unit)
                .filter(one ->
                        draft.memory().typeOf(one.unit().sources().getFirst()).equals(Optional.of(fact.type())))
                .filter(one -> isComparable(one.unit(), fact));
    }

    /** Whether two units may be joined: the same people see both. */
    static boolean isComparable(Unit one, Unit other) {
        return Set.copyOf(one.tags()).equals(Set.copyOf(other.tags()))
                && one.vector() != null
                && Objects.equals(one.generation(), other.generation());
    }

    UnitLearned unit(UUID id) {
        return units.computeIfAbsent(
                id, _ -> draft.memory().unit(id).orElseThrow(() -> new IllegalStateException("no unit " + id)));
    }

    Source source(UnitLearned event) {
        Unit unit = event.unit();
        return new Source(
                unit.id().toString(),
                unit.text(),
                names(event),
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
                                .map(known -> known.name().text())
                                .orElse(mention.name())))
                .toList();
    }

    // ---- updates

    private void carryOut(Change change) {
        switch (change) {
            case Change.Create create -> create(create);
            case Change.Update update -> update(update);
            case Change.Delete delete -> retired(id(delete.id()), delete.reason(), null);
            case Change.Keep _ -> {} // it stands for itself
        }
    }

    private void create(Change.Create create) {
        List<UnitLearned> sources = onceADocument(List.of(), ids(create.sources()));
        UnitLearned saying = saying(create.text(), sources);
        UUID current = saying.unit().id();
        if (sources.size() > 1 && draft.hasRoom()) {
            current = Ids.of(
                    "observation", draft.state().open().id(), draft.state().lastSeq() + 1);
            learned(current, 1, sources, saying, null);
        }
        close(create.outdated(), current);
    }

    private void update(Change.Update update) {
        UnitLearned written = unit(id(update.id()));
        Unit before = written.unit();
        List<UnitLearned> counted = update.contradicts()
                ? List.of()
                : proofs(before).stream().map(this::unit).toList();
        List<UnitLearned> sources = onceADocument(counted, ids(update.sources()));
        UUID current = before.id();
        if (sources.size() == 1 && (update.contradicts() || !isWritten(written))) {
            current = sources.getFirst().unit().id();
            retired(before.id(), update.reason(), current);
        } else if (sources.size() > counted.size()) {
            UnitLearned saying = isWritten(written) && !update.contradicts() ? written : saying(update.text(), sources);
            learned(before.id(), before.version() + 1, sources, saying, update.reason());
        }
        close(update.outdated(), current);
    }

    /** Whether a model wrote the text: then it is kept when further facts confirm it. */
    private static boolean isWritten(UnitLearned event) {
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
    List<UnitLearned> onceADocument(List<UnitLearned> counted, List<UUID> sources) {
        var once = new ArrayList<>(counted);
        var documents = new HashSet<@Nullable UUID>();
        counted.forEach(event -> documents.add(event.unit().docId()));
        sources.stream()
                .map(this::unit)
                .filter(event -> once.size() < MAX_SOURCES)
                .filter(event -> documents.add(event.unit().docId()))
                .forEach(once::add);
        return once;
    }

    /** The source with this text; if it was not counted, the newest of the others. */
    private static UnitLearned saying(String text, Collection<UnitLearned> sources) {
        Comparator<UnitLearned> bySaying =
                Comparator.comparing(event -> event.unit().text().equals(text));
        return sources.stream()
                .max(bySaying.thenComparing(event -> event.unit().mentionedAt())
                        .thenComparing(event -> event.unit().id()))
                .orElseThrow();
    }

    private void close(List<String> outdated, UUID by) {
        outdated.forEach(fact -> outdated(id(fact), by));
    }

    /** A fact is superseded by a newer one; other observations that rest on it are rebuilt or retired. */
    void outdated(UUID fact, UUID by) {
        retired(fact, CONTRADICTED, by);
        draft.memory().madeOf(fact).stream()
                .filter(id -> !id.equals(by)
                        && !gone.contains(id)
                        && draft.memory().holds(id)
                        && draft.memory().typeOf(id).equals(Optional.of(FactType.OBSERVATION))
                        && unit(id).unit().sources().contains(fact))
                .sorted()
                .filter(id -> !makeAnew(id, gone, CONTRADICTED))
                .forEach(id -> retired(id, CONTRADICTED, by));
    }

    void retired(UUID unit, String reason, @Nullable UUID by) {
        gone.add(unit);
        draft.emit(meta -> new UnitRetired(meta, unit, reason, by));
    }

    private void learned(UUID id, int version, List<UnitLearned> sources, UnitLearned saying, @Nullable String reason) {
        Unit said = saying.unit();
        List<Unit> facts = sources.stream().map(UnitLearned::unit).toList();
        var unit = new Unit(
                id,
                null,
                version,
                FactType.OBSERVATION,
                said.text(),
                said.context(),
                null,
                occurred(facts),
                facts.stream().map(Unit::mentionedAt).max(Instant::compareTo).orElseThrow(),
                said.tags(),
                null,
                facts.size(),
                Stream.concat(
                                facts.stream().map(Unit::id),
                                said.type() == FactType.OBSERVATION ? said.sources().stream() : Stream.of())
                        .distinct()
                        .toList(),
                said.generation(),
                said.vector());
        Maker maker = isWritten(saying) && said.type() == FactType.OBSERVATION
                ? saying.maker()
                : Maker.rules(Consolidation.VERSION);
        learned(meta -> new UnitLearned(meta, unit, saying.mentions(), List.of(), reason, maker));
    }

    /** Makes a learned unit visible to the next change. */
    void learned(Function<MemoryMeta, UnitLearned> event) {
        draft.emit(meta -> {
            UnitLearned learned = event.apply(meta);
            units.put(learned.unit().id(), learned);
            return learned;
        });
    }

    /** The period from the first to the last of the facts; null if none has a time. */
    static @Nullable TimeSpan occurred(List<Unit> facts) {
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
        return ids.stream().map(Consolidating::id).toList();
    }

    private static UUID id(String id) {
        return UUID.fromString(id);
    }

    // ---- retiring

    /** Retires active units; observations that rest on them are rebuilt or retired. */
    static void retire(MemoryDraft draft, List<UUID> units, String reason) {
        var consolidating = new Consolidating(draft);
        List<UUID> held = units.stream().filter(draft.memory()::holds).toList();
        held.forEach(unit -> consolidating.retired(unit, reason, null));
        Set<UUID> gone = Set.copyOf(held);
        held.stream()
                .flatMap(unit -> draft.memory().madeOf(unit).stream())
                .distinct()
                .sorted()
                .filter(unit -> !gone.contains(unit) && consolidating.restsOn(unit, gone))
                .forEach(unit -> {
                    FactType type = draft.memory().typeOf(unit).orElseThrow();
                    if (type == FactType.OPINION) {
                        OpinionFormation.doubt(draft, unit);
                    } else if (type != FactType.MENTAL_MODEL // which is stale now, and soon made anew
                            && !consolidating.makeAnew(unit, gone, "one of its facts is held to be true no more")) {
                        consolidating.retired(unit, "its facts are held to be true no more", null);
                    }
                });
    }

    private boolean restsOn(UUID unit, Set<UUID> gone) {
        return draft.memory().holds(unit)
                && unit(unit).unit().sources().stream().anyMatch(gone::contains);
    }

    /**
     * Rebuilds an erased observation from its remaining facts; does nothing if too few are left, or it was not an
     * observation.
     */
    static void restore(MemoryDraft draft, UUID unit, Set<UUID> gone) {
        new Consolidating(draft).makeAnew(unit, gone, "some of its facts were erased");
    }

    /** @return whether enough facts are left and still agree */
    private boolean makeAnew(UUID id, Set<UUID> gone, String reason) {
        if (!draft.memory().holds(id)
                || draft.memory()
                        .typeOf(id)
                        .filter(FactType.OBSERVATION::equals)
                        .isEmpty()) {
            return false;
        }
        Unit before = unit(id).unit();
        List<UUID> rest = before.sources().stream()
                .filter(source -> !gone.contains(source) && isFact(source))
                .toList();
        List<Source> left = rest.stream()
                .map(this::unit)
                .filter(source -> source.unit().vector() != null)
                .map(this::source)
                .toList();
        return Consolidation.byRules(left, List.of()).stream()
                .filter(Change.Create.class::isInstance)
                .map(Change.Create.class::cast)
                .filter(create ->
                        onceADocument(List.of(), ids(create.sources())).size() > 1)
                .max(Comparator.comparingInt(create -> create.sources().size()))
                .map(create -> {
                    List<UnitLearned> sources = onceADocument(List.of(), ids(create.sources()));
                    learned(id, before.version() + 1, sources, saying(create.text(), sources), reason);
                    return true;
                })
                .orElseGet(() -> {
                    ModelConsolidating.left(draft, rest);
                    return false;
                });
    }

    /** Whether it is an active fact. */
    private boolean isFact(UUID id) {
        return draft.memory().holds(id)
                && draft.memory().typeOf(id).filter(FactType::isFact).isPresent();
    }
}
