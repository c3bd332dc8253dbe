package dev.parley.domain.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.Thought.Step;
import dev.parley.domain.memory.reflect.Conclusion;
import dev.parley.domain.memory.reflect.DirectiveCheck;
import dev.parley.domain.memory.reflect.DirectiveCheck.Verdict;
import dev.parley.domain.protocol.CallResult.Embedded;
import dev.parley.domain.protocol.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Completion of a reflection: its answer is embedded, stored and returned. */
final class ReflectionCompletion {
    private ReflectionCompletion() {}

    static void conclude(MemoryDraft draft, Thought thought, Conclusion conclusion) {
        if (conclusion.basedOn().isEmpty()) { // nothing holds it up: it is told, and not found again
            finish(draft, thought.concluding(conclusion.withoutOpinion()), null, null, List.of());
            return;
        }
        embed(
                draft,
                thought.concluding(thought.model() == null ? conclusion : conclusion.withoutOpinion())
                        .asking(draft.state().key(), Step.MEANING, draft.now().plus(Reflecting.EMBEDDING_TIMEOUT)));
    }

    private static void embed(MemoryDraft draft, Thought thought) {
        Conclusion conclusion = concluded(thought);
        var texts = new ArrayList<String>();
        texts.add(Reflected.meaning(thought.ask().question(), conclusion.answer()));
        Optional.ofNullable(conclusion.opinion()).ifPresent(texts::add);
        draft.effect(new MemoryEffect.Embed(new EmbedRequest(
                thought.callId(),
                thought.attempt(),
                draft.state().generations().current(),
                texts,
                thought.leaseUntil(),
                thought.leaseUntil())));
        draft.change(state -> state.with(thought));
    }

    private static Conclusion concluded(Thought thought) {
        return Objects.requireNonNull(thought.conclusion(), "it has not been answered");
    }

    static void embedded(MemoryDraft draft, Thought thought, Embedded answer) {
        int texts = concluded(thought).opinion() == null ? 1 : 2;
        String current = draft.state().generations().current();
        boolean fits = FactExtraction.isUsable(answer.vectors(), texts)
                && (current == null || current.equals(answer.generation()));
        if (fits && current == null) {
            draft.emit(meta -> new GenerationChanged(meta, answer.generation(), null, false));
        }
        meant(draft, thought, fits ? answer.generation() : null, fits ? answer.vectors() : List.of());
    }

    /**
     * The answer was embedded, or could not be. Completes the reflection unless something it cites was retired
     * meanwhile.
     */
    static void meant(MemoryDraft draft, Thought thought, @Nullable String generation, List<Vector> vectors) {
        Conclusion conclusion = concluded(thought);
        List<Verdict> verdicts =
                DirectiveCheck.of(conclusion.said(), draft.state().directives());
        if (!Grounding.isAllThere(draft, conclusion.basedOn())) {
            Reflecting.anew(draft, thought);
        } else if (DirectiveCheck.passes(verdicts)) {
            finish(draft, thought, null, generation, vectors);
        } else { // there is a new one since
            finish(draft, thought.concluding(conclusion.withheld()), ModelReflecting.broken(verdicts), null, List.of());
        }
    }

    // ---- completion

    /** Stores and returns the answer. */
    static void finish(
            MemoryDraft draft,
            Thought thought,
            @Nullable String withheld,
            @Nullable String generation,
            List<Vector> vectors) {
        draft.change(state -> state.without(thought));
        if (thought.model() != null) {
            MentalModelRefresh.answered(draft, thought, concluded(thought), withheld, generation, vectors);
            return;
        }
        Reflected event = reflected(draft, thought, withheld, generation, vectors);
        draft.emit(_ -> event);
        Conclusion conclusion = concluded(thought);
        if (withheld == null && conclusion.opinion() != null && conclusion.confidence() != null) {
            OpinionFormation.opine(draft, thought, event.id(), conclusion, generation, vectors);
        }
        Outcome.Concluded outcome = outcome(draft, thought, event, withheld);
        draft.effect(new MemoryEffect.Remember(
                thought.id(), outcome.saying(""))); // what may be erased stands in the event alone
        tell(draft, thought, outcome);
    }

    private static Reflected reflected(
            MemoryDraft draft,
            Thought thought,
            @Nullable String withheld,
            @Nullable String generation,
            List<Vector> vectors) {
        Conclusion conclusion = concluded(thought);
        boolean found = withheld == null && !conclusion.basedOn().isEmpty();
        UUID bank = draft.state().open().id();
        UUID id = found
                ? Ids.of(
                        "reflection",
                        bank,
                        normal(thought.ask().question()),
                        thought.ask().tags())
                : Ids.of("reflection", bank, thought.id());
        return reflected(draft, thought, id, null, conclusion.answer(), withheld, generation, vectors);
    }

    static Reflected reflected(
            MemoryDraft draft,
            Thought thought,
            UUID id,
            @Nullable UUID made,
            String answer,
            @Nullable String withheld,
            @Nullable String generation,
            List<Vector> vectors) {
        Conclusion conclusion = concluded(thought);
        var meta = new MemoryMeta(
                draft.state().open(),
                draft.state().lastSeq() + 1,
                draft.now(),
                made == null ? thought.id() : null,
                thought.by());
        return new Reflected(
                meta,
                id,
                made,
                thought.ask().session(),
                thought.ask().question(),
                thought.ask().tags(),
                answer,
                conclusion.basedOn(),
                thought.seen(),
                conclusion.how(),
                conclusion.prompt(),
                conclusion.model(),
                thought.modelCalls(),
                thought.usage(),
                withheld,
                generation,
                vectors.isEmpty() ? null : vectors.getFirst());
    }

    static String normal(String question) {
        return question.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }

    private static Outcome.Concluded outcome(
            MemoryDraft draft, Thought thought, Reflected event, @Nullable String withheld) {
        Conclusion conclusion = concluded(thought);
        List<Verdict> verdicts = withheld == null
                ? DirectiveCheck.of(conclusion.said(), draft.state().directives())
                : List.of();
        return new Outcome.Concluded(
                draft.state().key(),
                thought.id(),
                event.id(),
                text(conclusion.answer(), withheld),
                event.basedOn(),
                names(verdicts, Verdict.Kept.class),
                names(verdicts, Verdict.Unknown.class),
                withheld,
                conclusion.unknown(),
                conclusion.how(),
                conclusion.model(),
                1 + thought.searches().size() + thought.modelCalls(),
                thought.usage());
    }

    private static String text(String answer, @Nullable String withheld) {
        return withheld == null ? answer : Directive.withheld(withheld);
    }

    private static List<String> names(List<Verdict> verdicts, Class<? extends Verdict> kind) {
        return verdicts.stream()
                .filter(kind::isInstance)
                .map(verdict -> verdict.directive().name())
                .toList();
    }

    /** The outcome for a duplicate of the question: the same, unless the answer was erased. */
    static Outcome again(MemoryDraft draft, Outcome.Concluded told) {
        return draft.memory()
                .reflection(told.reflection(), told.commandId())
                .<Outcome>map(event -> told.saying(text(event.answer(), event.withheld())))
                .orElseGet(() -> Outcome.erased(told.key(), told.commandId()));
    }

    private static void tell(MemoryDraft draft, Thought thought, Outcome outcome) {
        if (thought.outcomePartition() != null) {
            draft.effect(new MemoryEffect.Tell(thought.outcomePartition(), outcome));
        }
    }

    static void refuse(MemoryDraft draft, Thought thought, String code, String message) {
        FactExtraction.lost(draft, thought.callId());
        draft.change(state -> state.without(thought));
        UUID model = thought.model();
        if (model != null) { // it is tried again when it may be
            draft.change(state -> state.standing(model)
                    .map(one -> state.with(new BankState.Standing(one.model(), one.begun(), true, one.version())))
                    .orElse(state));
        } else {
            var refused = new Outcome.Refused(draft.state().key(), thought.id(), code, message);
            draft.effect(new MemoryEffect.Remember(thought.id(), refused));
            tell(draft, thought, refused);
        }
    }
}
