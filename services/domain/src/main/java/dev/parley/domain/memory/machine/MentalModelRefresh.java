package dev.parley.domain.memory.machine;

import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Standing;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand.RemoveMentalModel;
import dev.parley.domain.memory.MemoryCommand.SetMentalModel;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.MentalModelRemoved;
import dev.parley.domain.memory.MemoryEvent.MentalModelSet;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.MentalModel;
import dev.parley.domain.memory.PendingInference;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.UnitBuilder;
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
        if (draft.state().withoutModel(id).models().size() >= MAX_MODELS) {
            draft.refuse("too_many", "a bank has at most " + MAX_MODELS + " mental models: remove one first");
        } else if (draft.state().standing(id).isEmpty() && draft.memory().hasUnit(id) && !isAnswer(draft, id)) {
            draft.refuse("id_taken", "there is a unit of this id: give the mental model another one");
        } else {
            Reflection.cancelRefresh(draft, id); // of the previous question
            draft.emit(meta -> new MentalModelSet(meta, set.model()));
            draft.accept(set.meta().commandId());
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
        if (draft.memory().isActive(id)) {
            draft.emit(meta -> new UnitRetired(meta, id, "the mental model was removed", null));
        }
        Reflection.cancelRefresh(draft, id);
        draft.accept(remove.meta().commandId());
    }

    /** Applies a new or changed mental model to the state. */
    static BankState evolve(BankState state, MentalModel model) {
        int version = state.standing(model.id()).map(Standing::version).orElse(0);
        return state.withModel(Standing.of(model, version));
    }

    /** Time of the next refresh; empty while one is running. */
    static Optional<Instant> due(BankState state) {
        return state.branches().arriving() || state.thoughts().stream().anyMatch(thought -> thought.model() != null)
                ? Optional.empty()
                : state.models().stream()
                        .flatMap(modelState -> modelState.due().stream())
                        .min(Instant::compareTo);
    }

    /** Starts the refresh that has been due longest. */
    static void tick(MemoryDraft draft) {
        due(draft.state()).filter(due -> !due.isAfter(draft.now())).ifPresent(due -> {
            Standing modelState = draft.state().models().stream()
                    .filter(stale -> stale.due().equals(Optional.of(due)))
                    .findFirst()
                    .orElseThrow();
            draft.change(state -> state.withModel(modelState.refreshing(draft.now())));
            Reflection.refresh(draft, modelState);
        });
    }

    /** Marks the mental models stale whose scope this decision changed. */
    static void mark(MemoryDraft draft) {
        for (MemoryEvent event : draft.events()) {
            for (Standing modelState : draft.state().models()) {
                if (concerns(draft, modelState, event)) {
                    boolean isErased = event instanceof Forgotten forgotten
                            && forgotten.units().contains(modelState.model().id());
                    draft.change(
                            state -> state.withModel(isErased ? modelState.withoutAnswer() : modelState.asStale()));
                }
            }
        }
    }

    private static boolean concerns(MemoryDraft draft, Standing modelState, MemoryEvent event) {
        return switch (event) {
            case UnitLearned learned -> concerns(modelState, learned.unit());
            case UnitRetired retired -> concerns(draft, modelState, retired);
            case Forgotten forgotten -> concerns(draft, modelState, forgotten);
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

    private static boolean concerns(MemoryDraft draft, Standing modelState, UnitRetired retired) {
        return draft.memory()
                .unit(retired.unitId())
                .filter(learned -> concerns(modelState, learned.unit()))
                .isPresent();
    }

    private static boolean concerns(MemoryDraft draft, Standing modelState, Forgotten forgotten) {
        List<UUID> units = forgotten.units();
        return forgotten.whole()
                || units.size() > MAX_EXAMINED
                || units.contains(modelState.model().id())
                || units.stream()
                        .flatMap(id -> draft.memory().unit(id).stream())
                        .anyMatch(learned -> concerns(modelState, learned.unit()));
    }

    /** The bank's own opinions and answers are ignored: they would trigger each other endlessly. */
    private static boolean concerns(Standing modelState, Unit unit) {
        return switch (unit.type()) {
            case WORLD, EXPERIENCE, OBSERVATION -> modelState.model().concerns(unit.tags());
            case OPINION, MENTAL_MODEL -> false;
        };
    }

    /** Stores the new answer of a mental model. The old one stays if the new one is withheld or equal. */
    static void storeAnswer(
            MemoryDraft draft,
            PendingInference thought,
            Conclusion conclusion,
            @Nullable String withheld,
            TextVectors vectors) {
        Optional<Standing> modelState =
                draft.state().standing(thought.model() == null ? thought.id() : thought.model());
        if (modelState.isEmpty()) {
            return; // it has been removed
        }
        UUID id = modelState.get().model().id();
        String answer =
                withheld == null && !conclusion.basedOn().isEmpty() ? withoutCitations(conclusion.answer()) : "";
        if (!answer.isEmpty()) {
            learn(draft, thought, conclusion, modelState.get(), answer, vectors);
        } else if (withheld == null && draft.memory().isActive(id)) {
            draft.emit(meta -> new UnitRetired(meta, id, "no memory answers it", null));
        }
        if (thought.modelCalls() > 0) { // records the usage
            draft.emit(ReflectionCompletion.reflectedEvent(draft, thought, id, id, "", withheld, TextVectors.NONE));
        }
    }

    private static String withoutCitations(String answer) {
        return answer.replaceAll(" ?\\[m\\d+(?:, m\\d+)*]", "").strip();
    }

    private static void learn(
            MemoryDraft draft,
            PendingInference thought,
            Conclusion conclusion,
            Standing modelState,
            String answer,
            TextVectors vectors) {
        UUID id = modelState.model().id();
        List<UUID> sources = Reflected.sources(thought.evidence());
        Optional<Unit> before = draft.memory().unit(id).map(UnitLearned::unit);
        boolean isEqual = draft.memory().isActive(id)
                && before.filter(unit ->
                                unit.text().equals(answer) && unit.sources().equals(sources))
                        .isPresent();
        if (isEqual || before.isEmpty() && !draft.hasRoom()) {
            return;
        }
        int version = Math.max(modelState.version(), before.map(Unit::version).orElse(0)) + 1;
        Unit unit = unit(draft, modelState.model(), version, conclusion, answer, sources, vectors);
        String reason = version == 1 ? null : "what it rests on has changed";
        draft.emit(
                meta -> new UnitLearned(meta, unit, List.of(), List.of(), reason, OpinionFormation.maker(conclusion)));
        draft.change(state -> state.standing(id)
                .map(now -> state.withModel(now.withAnswer(version)))
                .orElse(state));
    }

    private static Unit unit(
            MemoryDraft draft,
            MentalModel model,
            int version,
            Conclusion conclusion,
            String answer,
            List<UUID> sources,
            TextVectors vectors) {
        int cited = Reflected.sources(conclusion.basedOn()).size();
        return UnitBuilder.builder()
                .id(model.id())
                .version(version)
                .type(FactType.MENTAL_MODEL)
                .text(answer)
                .context(model.question())
                .mentionedAt(draft.now())
                .tags(model.tags())
                .proofCount(Math.max(1, cited))
                .sources(sources)
                .generation(vectors.generation(0))
                .vector(vectors.vector(0))
                .build();
    }
}
