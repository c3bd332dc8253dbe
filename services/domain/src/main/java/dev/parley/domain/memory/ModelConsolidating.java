package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.Backlog.Asking;
import dev.parley.domain.memory.Backlog.Seen;
import dev.parley.domain.memory.BankView.Near;
import dev.parley.domain.memory.MemoryEvent.Consolidated;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.consolidate.Change;
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation;
import dev.parley.domain.memory.consolidate.ModelConsolidation.Read;
import dev.parley.domain.memory.consolidate.Traces;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a model makes observations of facts, after rules have joined what says the same. Some moments after something was learned it is
 * asked about the first few facts, with those near them and the observations near them, and then about the next few: one question of
 * a bank at a time. What it writes gets its vectors before it is carried out.
 *
 * <p>A fact that is in an observation already is not asked about, and neither is one that nothing is near to. Facts that were
 * looked at stay as they are where the model says nothing of them. While the budget is spent, or no model answers, facts wait. What
 * was shown and has changed when the answer comes is asked about anew.
 *
 * <p>What an observation says may come from anything that the model was shown. So its sources are the facts that it cites, as many
 * of them as are its proof first, and behind them all that has a word of its text which no cited one has: when one of them is
 * erased, it is.
 */
final class ModelConsolidating {
    /** How long after something was learned the model is asked: until then more may come. */
    static final Duration REST = Duration.ofSeconds(30);

    /** How long facts wait when no model answers. */
    static final Duration PAUSE = Duration.ofMinutes(10);

    /** The facts that a question is about; the others of {@link ModelConsolidation#MOST_FACTS} are near them. */
    static final int FRESH = 5;

    /** What is less near to a fact than this has nothing to do with it. */
    static final double NEAR = 0.5;

    private static final int NEAREST = 5;
    private static final int MOST_SHOWN = 20;
    private static final int LONGEST_ANSWER = 20_000;
    private static final int LOOKED = 256;
    private static final Duration LEAST_REST = Duration.ofMillis(1);

    private ModelConsolidating() {}

    // ---- what waits

    /** Takes note of what this decision has learned. @param reader whose model found it, or null where rules did */
    static void learned(MemoryDraft draft, @Nullable Agent reader) {
        draft.events().stream()
                .filter(event -> event instanceof UnitLearned learned && isAsked(draft, learned))
                .findFirst()
                .ifPresent(first -> set(
                        draft,
                        backlog(draft).learned(first.meta().seq(), draft.now().plus(REST), reader)));
    }

    /** These facts are in no observation any more, since the one that a model made of them is gone. */
    static void left(MemoryDraft draft, List<UUID> facts) {
        if (!facts.isEmpty() && reader(draft).isPresent()) {
            set(draft, backlog(draft).again(facts, draft.now().plus(REST)));
        }
    }

    private static boolean isAsked(MemoryDraft draft, UnitLearned learned) {
        Provenance provenance = learned.unit().provenance();
        return learned.unit().type().isFact()
                && provenance != null
                && (provenance.model() != null || draft.reader(null) != null);
    }

    /** The bank's own model, or that which found the newest facts. */
    private static Optional<Agent> reader(MemoryDraft draft) {
        return Optional.ofNullable(draft.reader(null))
                .or(() -> Optional.ofNullable(backlog(draft).reader()));
    }

    private static Backlog backlog(MemoryDraft draft) {
        return draft.state().backlog();
    }

    private static void set(MemoryDraft draft, Backlog backlog) {
        draft.change(state -> state.withBacklog(backlog));
    }

    /** When the next thing has to be done; null for never. A branch asks nothing until it is whole. */
    static @Nullable Instant due(BankState state) {
        return state.branches().arriving() ? null : state.backlog().wake();
    }

    static void tick(MemoryDraft draft) {
        Instant due = due(draft.state());
        if (due == null || due.isAfter(draft.now())) {
            return;
        }
        Asking asking = backlog(draft).asking();
        if (asking == null) {
            begin(draft);
        } else if (asking.retryAt() == null && asking.answer() == null) {
            failed(draft, asking); // nobody has it
        } else {
            ask(draft, asking.again(draft.now().plus(Reading.LEASE)));
        }
    }

    // ---- what is asked

    /** Asks about the first facts that there is something to ask about. */
    private static void begin(MemoryDraft draft) {
        Optional<Agent> reader = reader(draft);
        if (reader.isEmpty()) { // it was taken from the bank
            set(
                    draft,
                    backlog(draft).waiting(draft.state().lastSeq(), List.of()).next(null));
            return;
        }
        gather(draft);
        var consolidating = new Consolidating(draft);
        List<UUID> left = new ArrayList<>(backlog(draft).facts());
        while (!left.isEmpty()) {
            List<UnitLearned> fresh = take(consolidating, draft, left);
            if (fresh.isEmpty()) {
                continue;
            }
            var known = known(consolidating, draft, fresh);
            var shown = shown(consolidating, draft, fresh);
            List<UnitLearned> all =
                    Stream.of(fresh, known, shown).flatMap(List::stream).toList();
            fresh = fresh.stream().filter(fact -> hasCompany(fact, all)).toList();
            if (!fresh.isEmpty()) {
                set(draft, backlog(draft).waiting(backlog(draft).to(), left));
                ask(draft, asking(draft, fresh, known, shown));
                return;
            }
        }
        long to = backlog(draft).to();
        set(draft, backlog(draft).waiting(to, List.of()).next(to < stored(draft) ? soon(draft) : null));
    }

    /** A moment that is not now: a tick that has something to do asks for the next one. */
    private static Instant soon(MemoryDraft draft) {
        return draft.now().plus(LEAST_REST);
    }

    /** The number of the newest event that the store has. */
    private static long stored(MemoryDraft draft) {
        return draft.state().lastSeq() - draft.events().size();
    }

    /** Fills the list from the events. */
    private static void gather(MemoryDraft draft) {
        Backlog backlog = backlog(draft);
        if (backlog.to() >= stored(draft)) {
            return;
        }
        var facts = new ArrayList<>(backlog.facts());
        List<MemoryEvent> log = draft.view().log().from(backlog.to() + 1, LOOKED);
        long to = log.size() < LOOKED ? stored(draft) : log.getLast().meta().seq();
        for (MemoryEvent event : log) {
            if (event instanceof UnitLearned learned && isAsked(draft, learned)) {
                if (facts.size() >= Backlog.MOST) {
                    to = event.meta().seq() - 1;
                    break;
                }
                if (!facts.contains(learned.unit().id())) {
                    facts.add(learned.unit().id());
                }
            }
        }
        set(draft, backlog.waiting(Math.max(to, backlog.to()), facts));
    }

    /** Takes the first fact, and a few others that whoever sees it sees, too; none where it is not to be asked about. */
    private static List<UnitLearned> take(Consolidating consolidating, MemoryDraft draft, List<UUID> left) {
        List<UUID> gone = left.stream().filter(id -> !isAlone(draft, id)).toList();
        left.removeAll(gone);
        if (left.isEmpty()) {
            return List.of();
        }
        Unit first = consolidating.unit(left.getFirst()).unit();
        List<UnitLearned> fresh = left.stream()
                .map(consolidating::unit)
                .filter(event -> event.unit().type() == first.type() && Consolidating.isComparable(event.unit(), first))
                .limit(FRESH)
                .toList();
        left.removeFirst();
        left.removeAll(fresh.stream().map(event -> event.unit().id()).toList());
        return fresh;
    }

    /** Whether anything else that would be shown is near a fact. */
    private static boolean hasCompany(UnitLearned fact, List<UnitLearned> all) {
        return all.stream().anyMatch(other -> other != fact && isNear(fact.unit(), other.unit()));
    }

    /** Whether a fact is held to be true and stands for itself. */
    private static boolean isAlone(MemoryDraft draft, UUID fact) {
        return draft.memory().holds(fact)
                && draft.memory().madeOf(fact).stream()
                        .noneMatch(made -> draft.memory().holds(made)
                                && draft.memory().typeOf(made).equals(Optional.of(FactType.OBSERVATION))
                                && draft.memory()
                                        .unit(made)
                                        .filter(one ->
                                                Consolidating.proofs(one.unit()).contains(fact))
                                        .isPresent());
    }

    private static List<UnitLearned> known(Consolidating consolidating, MemoryDraft draft, List<UnitLearned> fresh) {
        Unit first = fresh.getFirst().unit();
        return near(draft, fresh, first.type())
                .filter(id -> isAlone(draft, id)
                        && fresh.stream().noneMatch(event -> event.unit().id().equals(id)))
                .map(consolidating::unit)
                .filter(event -> event.unit().provenance() != null && Consolidating.isComparable(event.unit(), first))
                .limit(ModelConsolidation.MOST_FACTS - fresh.size())
                .toList();
    }

    private static List<UnitLearned> shown(Consolidating consolidating, MemoryDraft draft, List<UnitLearned> fresh) {
        return near(draft, fresh, FactType.OBSERVATION)
                .flatMap(id -> consolidating.observation(id, fresh.getFirst().unit()))
                .limit(MOST_SHOWN)
                .toList();
    }

    /** What is near one of them, the nearest first. */
    private static Stream<UUID> near(MemoryDraft draft, List<UnitLearned> facts, FactType type) {
        Map<UUID, Double> near = new LinkedHashMap<>();
        for (UnitLearned fact : facts) {
            Unit unit = fact.unit();
            draft.view()
                    .neighbours()
                    .nearest(
                            Objects.requireNonNull(unit.vector()),
                            Objects.requireNonNull(unit.generation()),
                            type,
                            NEAR,
                            NEAREST + facts.size())
                    .forEach(one -> near.merge(one.unit(), one.cosine(), Math::max));
        }
        return near.entrySet().stream()
                .map(entry -> new Near(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingDouble(Near::cosine).reversed().thenComparing(Near::unit))
                .map(Near::unit);
    }

    private static Asking asking(
            MemoryDraft draft, List<UnitLearned> fresh, List<UnitLearned> known, List<UnitLearned> shown) {
        UUID callId = Ids.of(
                "consolidate",
                draft.state().key(),
                fresh.getFirst().unit().id(),
                draft.state().lastSeq(),
                draft.now());
        return new Asking(
                callId,
                1,
                0,
                draft.now().plus(Reading.LEASE),
                null,
                ids(fresh),
                ids(known),
                shown.stream()
                        .map(one -> new Seen(one.unit().id(), one.unit().version()))
                        .toList(),
                "",
                null,
                null,
                Usage.NONE);
    }

    private static List<UUID> ids(List<UnitLearned> units) {
        return units.stream().map(event -> event.unit().id()).toList();
    }

    /** Asks the model, or what it wrote means. */
    private static void ask(MemoryDraft draft, Asking asking) {
        if (asking.answer() != null) {
            written(draft, asking, (question, changes) -> embed(draft, asking, question, changes));
            return;
        }
        Optional<Question> question = Question.of(draft, asking);
        Optional<Agent> reader = reader(draft);
        if (question.isEmpty() || reader.isEmpty()) { // something of it has changed
            putBack(draft, asking, soon(draft));
            return;
        }
        Prompt prompt = question.get().prompt(draft);
        ModelRequest request =
                Reading.request(draft, asking.callId(), asking.attempt(), reader.get(), prompt, asking.leaseUntil());
        if (Reading.spends(draft, request)) {
            draft.effect(new MemoryEffect.AskModel(request));
            set(draft, backlog(draft).asking(asking.told(prompt.digest())));
        } else {
            putBack(draft, asking, draft.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1)));
        }
    }

    /** What is asked is asked again later, and behind the others. */
    private static void putBack(MemoryDraft draft, Asking asking, Instant when) {
        Reading.lost(draft, asking.callId());
        set(draft, backlog(draft).next(when).again(asking.fresh(), when));
    }

    /** What a model is shown, and reads its answer by. */
    private record Question(Consolidating consolidating, List<UnitLearned> facts, List<UnitLearned> shown) {
        /** Empty where something of it is not there any more, or an observation is another one by now. */
        static Optional<Question> of(MemoryDraft draft, Asking asking) {
            var consolidating = new Consolidating(draft);
            boolean there = asking.facts().stream().allMatch(fact -> isAlone(draft, fact))
                    && asking.shown().stream()
                            .allMatch(seen -> draft.memory().holds(seen.observation())
                                    && consolidating
                                                    .unit(seen.observation())
                                                    .unit()
                                                    .version()
                                            == seen.version());
            List<UUID> all = Stream.concat(
                            asking.facts().stream(), asking.shown().stream().map(Seen::observation))
                    .toList();
            boolean comparable = there
                    && all.stream().allMatch(id -> consolidating.unit(id).unit().vector() != null);
            return comparable
                    ? Optional.of(new Question(
                            consolidating,
                            asking.facts().stream().map(consolidating::unit).toList(),
                            asking.shown().stream()
                                    .map(seen -> consolidating.unit(seen.observation()))
                                    .toList()))
                    : Optional.empty();
        }

        Prompt prompt(MemoryDraft draft) {
            BankProfile profile = draft.state().profile();
            return ModelConsolidation.prompt(
                    facts.stream().map(consolidating::source).toList(),
                    shown.stream().map(consolidating::observation).toList(),
                    profile == null ? null : profile.background());
        }

        Read read(String answer) {
            return ModelConsolidation.parse(
                    answer,
                    facts.stream().map(consolidating::source).toList(),
                    shown.stream().map(consolidating::observation).toList());
        }

        UnitLearned fact(String id) {
            return consolidating.unit(UUID.fromString(id));
        }
    }

    // ---- what is answered

    static void answered(MemoryDraft draft, CallResult result) {
        Asking asking = backlog(draft).asking();
        if (asking == null
                || !asking.callId().equals(result.callId())
                || asking.attempt() != result.attempt()
                || asking.retryAt() != null) {
            return; // late, twice, or for somebody else
        }
        switch (result) {
            case ModelAnswered answer
            when asking.answer() == null -> {
                Reading.used(draft, answer.callId(), answer.usage().tokens());
                read(draft, asking, answer);
            }
            case Embedded vectors
            when asking.answer() != null ->
                written(draft, asking, (question, changes) -> embedded(draft, asking, question, changes, vectors));
            case ModelFailed _ -> {
                Reading.used(draft, result.callId(), 0);
                failed(draft, asking);
            }
            case RetryAfter later -> {
                Reading.used(draft, result.callId(), 0);
                set(draft, backlog(draft).asking(asking.later(draft.now().plus(later.delay()))));
            }
            case CallProgress _ ->
                set(draft, backlog(draft).asking(asking.renewed(draft.now().plus(Reading.LEASE))));
            case ModelAnswered _,
                    Embedded _,
                    CallResult.ToolAnswered _,
                    CallResult.ChildFinished _,
                    CallResult.Found _ -> {} // no answer to this call
        }
    }

    private static void read(MemoryDraft draft, Asking asking, ModelAnswered answer) {
        String said = Message.text(answer.blocks());
        Optional<Question> question = Question.of(draft, asking);
        if (question.isEmpty()) {
            putBack(draft, asking, soon(draft));
            return;
        }
        Read read = said.length() > LONGEST_ANSWER
                ? new Read.Unusable("it is too long")
                : question.get().read(said);
        switch (read) {
            case Read.Unusable _ when asking.failures() + 1 < Reading.MODEL_ATTEMPTS -> failed(draft, asking);
            case Read.Unusable _ -> set(draft, backlog(draft).next(soon(draft))); // its facts stay as they are
            case Read.Changes changes -> {
                Asking next = asking.answered(
                        Ids.of("consolidated", asking.callId()),
                        said,
                        answer.provider() + "/" + answer.model(),
                        answer.usage(),
                        draft.now().plus(Reading.LEASE));
                if (texts(question.get(), changes).isEmpty()) {
                    carryOut(draft, next, question.get(), changes, null, List.of());
                } else {
                    embed(draft, next, question.get(), changes);
                }
            }
        }
    }

    /** A model that does not answer is asked again, and then later about other facts first; vectors are asked for until they come. */
    private static void failed(MemoryDraft draft, Asking asking) {
        if (asking.answer() == null && asking.failures() + 1 >= Reading.MODEL_ATTEMPTS) {
            putBack(draft, asking, draft.now().plus(PAUSE));
        } else {
            set(draft, backlog(draft).asking(asking.failed(draft.now().plus(Reading.backoff(asking.failures())))));
        }
    }

    /** An answer that the machine cannot use is none; its facts stay as they are. */
    static void giveUp(MemoryDraft draft, UUID callId) {
        if (backlog(draft).awaits(callId)) {
            Reading.lost(draft, callId);
            set(draft, backlog(draft).next(soon(draft)));
        }
    }

    /** Something is erased: what is being asked may have it. */
    static void forget(MemoryDraft draft, boolean whole) {
        Asking asking = backlog(draft).asking();
        if (asking != null) {
            putBack(draft, asking, soon(draft));
        }
        if (whole) {
            set(draft, Backlog.NONE);
        }
    }

    // ---- what it means

    /** Goes on with what the model wrote, as long as all that it was shown is the same; else it is asked anew. */
    private static void written(MemoryDraft draft, Asking asking, BiConsumer<Question, Read.Changes> then) {
        Optional<Question> question = Question.of(draft, asking);
        if (question.isPresent() && question.get().read(asking.said()) instanceof Read.Changes changes) {
            then.accept(question.get(), changes);
        } else {
            putBack(draft, asking, soon(draft));
        }
    }

    private static void embed(MemoryDraft draft, Asking asking, Question question, Read.Changes changes) {
        draft.effect(new MemoryEffect.Embed(new EmbedRequest(
                asking.callId(),
                asking.attempt(),
                draft.state().generations().current(),
                texts(question, changes),
                asking.leaseUntil(),
                draft.now().plus(Reading.DEADLINE))));
        set(draft, backlog(draft).asking(asking));
    }

    /** By what the meaning of each text that it wrote is known, in their order. */
    private static List<String> texts(Question question, Read.Changes changes) {
        return changes.changes().stream()
                .flatMap(change -> Written.of(question, change).stream())
                .map(written -> Learning.meaning(written.text(), null, names(written.mentions())))
                .toList();
    }

    private static List<String> names(List<Mention> mentions) {
        return mentions.stream().map(Mention::name).toList();
    }

    /**
     * What a model wrote.
     *
     * @param before the observation that it changes, or null
     * @param cited the facts that it cites
     */
    private record Written(
            String text,
            @Nullable UnitLearned before,
            boolean contradicts,
            String reason,
            List<UnitLearned> cited,
            List<Mention> mentions) {
        static Optional<Written> of(Question question, Change change) {
            return switch (change) {
                case Change.Create create ->
                    create.sources().size() < 2
                            ? Optional.empty() // a fact stands for itself
                            : Optional.of(
                                    of(question, create.text(), null, false, "more facts say it", create.sources()));
                case Change.Update update -> {
                    UnitLearned before = question.fact(update.id());
                    List<String> fresh = update.sources().stream()
                            .filter(id -> question.facts().stream()
                                    .anyMatch(
                                            fact -> fact.unit().id().toString().equals(id)))
                            .toList();
                    yield Optional.of(
                            of(question, update.text(), before, update.contradicts(), update.reason(), fresh));
                }
                case Change.Delete _, Change.Keep _ -> Optional.empty();
            };
        }

        private static Written of(
                Question question,
                String text,
                @Nullable UnitLearned before,
                boolean contradicts,
                String reason,
                List<String> facts) {
            List<UnitLearned> cited = facts.stream().map(question::fact).toList();
            List<UnitLearned> all =
                    Stream.concat(Stream.ofNullable(before), cited.stream()).toList();
            return new Written(text, before, contradicts, reason, cited, Opining.named(text, all));
        }
    }

    private static void embedded(
            MemoryDraft draft, Asking asking, Question question, Read.Changes changes, Embedded answer) {
        if (Reading.isUsable(answer.vectors(), texts(question, changes).size())
                && answer.generation().equals(draft.state().generations().current())) {
            carryOut(draft, asking, question, changes, answer.generation(), answer.vectors());
        } else {
            failed(draft, asking);
        }
    }

    // ---- what is carried out

    private static void carryOut(
            MemoryDraft draft,
            Asking asking,
            Question question,
            Read.Changes changes,
            @Nullable String generation,
            List<Vector> vectors) {
        var maker = new Maker(ModelConsolidation.VERSION, asking.prompt(), asking.model());
        var left = new ArrayList<>(vectors);
        var changed = new HashSet<UUID>();
        int done = 0;
        int dropped = changes.dropped();
        for (Change change : changes.changes()) {
            Optional<Written> written = Written.of(question, change);
            boolean carried = switch (change) {
                case Change.Keep _ -> false;
                case Change.Delete delete -> {
                    UUID id = UUID.fromString(delete.id());
                    question.consolidating().retired(id, delete.reason(), null);
                    yield changed.add(id);
                }
                case Change.Create _, Change.Update _ ->
                    written.isPresent()
                            && write(
                                    draft,
                                    question,
                                    written.get(),
                                    changed,
                                    maker,
                                    Objects.requireNonNull(generation),
                                    left.removeFirst());
            };
            if (carried) {
                done++;
            } else if (!(change instanceof Change.Keep)) {
                dropped++;
            }
        }
        int carriedOut = done;
        int leftOut = dropped;
        draft.emit(meta -> new Consolidated(
                meta,
                asking.facts(),
                asking.shown().stream().map(Seen::observation).toList(),
                maker,
                asking.usage(),
                carriedOut,
                leftOut));
        set(draft, backlog(draft).next(soon(draft)));
    }

    /** Learns what was written. @return whether it could be */
    private static boolean write(
            MemoryDraft draft,
            Question question,
            Written written,
            Set<UUID> changed,
            Maker maker,
            String generation,
            Vector vector) {
        var consolidating = question.consolidating();
        UnitLearned changes = written.before();
        Unit old = changes != null
                ? changes.unit()
                : twin(question, written, changed, vector).orElse(null); // it is there already: it has more proof now
        if (old == null && !draft.hasRoom()) {
            return false;
        }
        List<UnitLearned> counted = old == null || written.contradicts()
                ? List.of()
                : Consolidating.proofs(old).stream().map(consolidating::unit).toList();
        List<UnitLearned> proofs = consolidating.onceADocument(counted, ids(written.cited()));
        List<UUID> sources = Stream.of(
                        ids(proofs).stream(),
                        ids(written.cited()).stream(),
                        old == null ? Stream.<UUID>of() : old.sources().stream(),
                        traces(question, written).stream())
                .flatMap(all -> all)
                .filter(source -> old == null || !source.equals(old.id()))
                .distinct()
                .toList();
        if (sources.size() > Consolidating.MOST_SOURCES) {
            return false; // each version names all of them
        }
        if (old != null) {
            changed.add(old.id());
        }
        UUID id = old == null
                ? Ids.of("observation", draft.state().open().id(), draft.state().lastSeq() + 1)
                : old.id();
        List<Unit> facts = proofs.stream().map(UnitLearned::unit).toList();
        Unit one = written.cited().getFirst().unit();
        var unit = new Unit(
                id,
                null,
                old == null ? 1 : old.version() + 1,
                FactType.OBSERVATION,
                written.text(),
                one.context(),
                null,
                Consolidating.occurred(facts),
                facts.stream().map(Unit::mentionedAt).max(Instant::compareTo).orElseThrow(),
                one.tags(),
                null,
                proofs.size(),
                sources,
                generation,
                vector);
        String reason = old == null ? null : written.reason();
        consolidating.learned(meta -> new UnitLearned(meta, unit, written.mentions(), List.of(), reason, maker));
        if (old != null && written.contradicts()) {
            outdated(draft, old, written).forEach(fact -> consolidating.outdated(fact, id));
        }
        return true;
    }

    /** Facts of the observation as it was that are older than what contradicts it, and about the same. */
    private static List<UUID> outdated(MemoryDraft draft, Unit old, Written written) {
        return Consolidating.proofs(old).stream()
                .filter(draft.memory()::holds)
                .filter(id -> {
                    Unit fact = draft.memory().unit(id).orElseThrow().unit();
                    return written.cited().stream()
                            .map(UnitLearned::unit)
                            .anyMatch(cited -> !cited.id().equals(id)
                                    && fact.mentionedAt().isBefore(cited.mentionedAt())
                                    && isNear(fact, cited));
                })
                .toList();
    }

    private static boolean isNear(Unit one, Unit other) {
        Vector vector = one.vector();
        Vector others = other.vector();
        return vector != null
                && others != null
                && Objects.equals(one.generation(), other.generation())
                && vector.cosine(others) >= NEAR;
    }

    /** The observation that says the same in about the same words. */
    private static Optional<Unit> twin(Question question, Written written, Set<UUID> changed, Vector vector) {
        return Consolidation.twin(
                        written.text(),
                        names(written.mentions()),
                        vector.values(),
                        question.shown().stream()
                                .filter(one -> !changed.contains(one.unit().id()))
                                .map(question.consolidating()::observation)
                                .toList())
                .map(twin -> question.fact(twin.id()).unit());
    }

    /** What was shown and not cited, but may be in the text. */
    private static List<UUID> traces(Question question, Written written) {
        UnitLearned before = written.before();
        List<UnitLearned> cited = Stream.concat(Stream.ofNullable(before), written.cited().stream())
                .toList();
        List<UnitLearned> others = Stream.concat(question.facts().stream(), question.shown().stream())
                .filter(one -> !cited.contains(one))
                .toList();
        return Traces.in(
                        written.text(),
                        cited.stream().map(event -> event.unit().text()).toList(),
                        others.stream().map(event -> event.unit().text()).toList())
                .stream()
                .map(index -> others.get(index).unit().id())
                .toList();
    }
}
