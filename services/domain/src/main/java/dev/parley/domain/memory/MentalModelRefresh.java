package dev.parley.domain.memory;

import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankState.Standing;
import dev.parley.domain.memory.MemoryCommand.RemoveMentalModel;
import dev.parley.domain.memory.MemoryCommand.SetMentalModel;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.MentalModelRemoved;
import dev.parley.domain.memory.MemoryEvent.MentalModelSet;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.reflect.Conclusion;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Refresh of mental models. Facts learned, retired or forgotten in the scope of a mental model make it stale, as does a
 * new directive; stale ones are reflected on again, one at a time, at their minimum interval. One that rested on erased
 * content is erased, too, and refreshed immediately.
 */
final class MentalModelRefresh {
    /** Maximum mental models of a bank. */
    static final int MAX_MODELS = 50;

    /** If more units than this are forgotten at once, every mental model is refreshed. */
    private static final int MAX_EXAMINED = 200;

    private MentalModelRefresh() {}

    static void set(MemoryDraft draft, SetMentalModel set) {
        UUID id = set.model().id();
        if (draft.state().without(id).models().size() >= MAX_MODELS) {
            draft.refuse("too_many", "a bank has at most " + MAX_MODELS + " mental models: remove one first");
        } else if (draft.state().standing(id).isEmpty() && draft.memory().knows(id) && !isAnswer(draft, id)) {
            draft.refuse("id_taken", "there is a unit of this id: give the mental model another one");
        } else {
            Reflecting.drop(draft, id); // what is thought about is the question before
            draft.emit(meta -> new MentalModelSet(meta, set.model()));
            draft.done(set.meta().commandId());
        }
    }

    private static boolean isAnswer(MemoryDraft draft, UUID id) {
        return draft.memory().typeOf(id).equals(Optional.of(FactType.MENTAL_MODEL));
    }

    static void remove(MemoryDraft draft, RemoveMentalModel remove) {
        UUID id = remove.modelId();
        if (draft.state().bank() == null || draft.state().standing(id).isEmpty()) {
            draft.refuse("unknown_mental_model", "the bank has no such mental model");
            return;
        }
        draft.emit(meta -> new MentalModelRemoved(meta, id));
        if (draft.memory().holds(id)) {
            draft.emit(meta -> new UnitRetired(meta, id, "the mental model was removed", null));
        }
        Reflecting.drop(draft, id);
        draft.done(remove.meta().commandId());
    }

    /** Applies a new or changed mental model to the state. */
    static BankState evolve(BankState state, MentalModel model) {
        int version = state.standing(model.id()).map(Standing::version).orElse(0);
        return state.with(new Standing(model, null, true, version));
    }

    // ---- schedule

    /** When the next refresh is due; empty while one is running. */
    static Optional<Instant> due(BankState state) {
        return state.branches().arriving() || state.thoughts().stream().anyMatch(thought -> thought.model() != null)
                ? Optional.empty()
                : state.models().stream().flatMap(one -> one.due().stream()).min(Instant::compareTo);
    }

    /** Starts the refresh that has been due longest. */
    static void tick(MemoryDraft draft) {
        due(draft.state()).filter(due -> !due.isAfter(draft.now())).ifPresent(due -> {
            Standing standing = draft.state().models().stream()
                    .filter(one -> one.due().equals(Optional.of(due)))
                    .findFirst()
                    .orElseThrow();
            draft.change(state -> state.with(new Standing(standing.model(), draft.now(), false, standing.version())));
            Reflecting.refresh(draft, standing);
        });
    }

    /** Marks the mental models stale whose scope this decision changed. */
    static void mark(MemoryDraft draft) {
        for (MemoryEvent event : draft.events()) {
            for (Standing standing : draft.state().models()) {
                if (concerns(draft, standing, event)) {
                    boolean gone = event instanceof Forgotten forgotten
                            && forgotten.units().contains(standing.model().id());
                    draft.change(state -> state.with(
                            new Standing(standing.model(), gone ? null : standing.begun(), true, standing.version())));
                }
            }
        }
    }

    private static boolean concerns(MemoryDraft draft, Standing standing, MemoryEvent event) {
        return switch (event) {
            case UnitLearned learned -> concerns(standing, learned.unit());
            case UnitRetired retired ->
                draft.memory()
                        .unit(retired.unitId())
                        .filter(learned -> concerns(standing, learned.unit()))
                        .isPresent();
            case Forgotten forgotten -> concerns(draft, standing, forgotten);
            case MemoryEvent.DirectiveSet _ -> true;
            case MemoryEvent.BankChanged _,
                    MemoryEvent.DocumentRetained _,
                    MemoryEvent.FactsExtracted _,
                    MemoryEvent.PassagesEmbedded _,
                    MemoryEvent.DirectiveRemoved _,
                    MentalModelSet _,
                    MentalModelRemoved _,
                    MemoryEvent.UnitEmbedded _,
                    MemoryEvent.GenerationChanged _,
                    MemoryEvent.BranchBegun _,
                    MemoryEvent.Branched _,
                    MemoryEvent.BankLimited _,
                    MemoryEvent.Consolidated _,
                    Reflected _ -> false;
        };
    }

    private static boolean concerns(MemoryDraft draft, Standing standing, Forgotten forgotten) {
        List<UUID> units = forgotten.units();
        return forgotten.whole()
                || units.size() > MAX_EXAMINED
                || units.contains(standing.model().id())
                || units.stream()
                        .flatMap(id -> draft.memory().unit(id).stream())
                        .anyMatch(learned -> concerns(standing, learned.unit()));
    }

    /** The bank's own opinions and answers are ignored: they would trigger each other endlessly. */
    private static boolean concerns(Standing standing, Unit unit) {
        return switch (unit.type()) {
            case WORLD, EXPERIENCE, OBSERVATION -> standing.model().concerns(unit.tags());
            case OPINION, MENTAL_MODEL -> false;
        };
    }

    // ---- result

    /** Stores the new answer of a mental model. The old one stays if the new one is withheld or equal. */
    static void answered(
            MemoryDraft draft,
            Thought thought,
            Conclusion conclusion,
            @Nullable String withheld,
            @Nullable String generation,
            List<Vector> vectors) {
        Optional<Standing> standing = draft.state().standing(thought.model() == null ? thought.id() : thought.model());
        if (standing.isEmpty()) {
            return; // it was removed meanwhile
        }
        UUID id = standing.get().model().id();
        String answer = withheld == null && !conclusion.basedOn().isEmpty() ? plain(conclusion.answer()) : "";
        if (answer.isEmpty() && withheld == null) {
            if (draft.memory().holds(id)) {
                draft.emit(meta -> new UnitRetired(meta, id, "nothing is remembered that answers it", null));
            }
        } else if (!answer.isEmpty()) {
            learned(draft, thought, standing.get(), answer, generation, vectors);
        }
        if (thought.modelCalls() > 0) { // what it cost
            Reflected event = ReflectionCompletion.reflected(draft, thought, id, id, "", withheld, null, List.of());
            draft.emit(_ -> event);
        }
    }

    private static String plain(String answer) {
        return answer.replaceAll(" ?\\[m\\d+(?:, m\\d+)*]", "").strip();
    }

    private static void learned(
            MemoryDraft draft,
            Thought thought,
            Standing standing,
            String answer,
            @Nullable String generation,
            List<Vector> vectors) {
        MentalModel model = standing.model();
        List<UUID> sources = Reflected.sources(thought.seen());
        Optional<Unit> before = draft.memory().holds(model.id())
                ? draft.memory().unit(model.id()).map(UnitLearned::unit)
                : Optional.empty();
        if (before.isPresent()
                && before.get().text().equals(answer)
                && before.get().sources().equals(sources)) {
            return;
        }
        int learned = draft.memory()
                .unit(model.id())
                .map(known -> known.unit().version())
                .orElse(0);
        int version = Math.max(standing.version(), learned) + 1;
        if (learned == 0 && !draft.hasRoom()) {
            return;
        }
        int cited = Reflected.sources(basedOn(thought)).size();
        var unit = new Unit(
                model.id(),
                null,
                version,
                FactType.MENTAL_MODEL,
                answer,
                model.question(),
                null,
                null,
                draft.now(),
                model.tags(),
                null,
                Math.max(1, cited),
                sources,
                generation,
                vectors.isEmpty() ? null : vectors.getFirst());
        String reason = version == 1 ? null : "what it rests on has changed";
        draft.emit(meta -> new UnitLearned(meta, unit, List.of(), List.of(), reason, maker(thought)));
        draft.change(state -> state.standing(model.id())
                .map(now -> state.with(new Standing(now.model(), now.begun(), now.stale(), version)))
                .orElse(state));
    }

    private static @Nullable Maker maker(Thought thought) {
        Conclusion conclusion = thought.conclusion();
        return conclusion == null ? null : OpinionFormation.maker(conclusion);
    }

    private static List<String> basedOn(Thought thought) {
        Conclusion conclusion = thought.conclusion();
        return conclusion == null ? List.of() : conclusion.basedOn();
    }
}
