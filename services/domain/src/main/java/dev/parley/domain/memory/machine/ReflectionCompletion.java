package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.PendingInference;
import dev.parley.domain.memory.PendingInference.Step;
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

    /**
     * Completes a reflection with a checked answer; one without citations is not embedded, as recall does not find it.
     */
    static void conclude(MemoryDraft draft, PendingInference thought, Conclusion conclusion) {
        if (conclusion.basedOn().isEmpty()) {
            finish(draft, thought.withConclusion(conclusion.withoutOpinion()), null, TextVectors.NONE);
            return;
        }
        embed(
                draft,
                thought.withConclusion(thought.model() == null ? conclusion : conclusion.withoutOpinion())
                        .withCall(draft, Step.MEANING, Reflection.EMBEDDING_TIMEOUT));
    }

    private static void embed(MemoryDraft draft, PendingInference thought) {
        Conclusion conclusion = conclusionOf(thought);
        var texts = new ArrayList<String>();
        texts.add(Reflected.embeddingText(thought.ask().question(), conclusion.answer()));
        Optional.ofNullable(conclusion.opinion()).ifPresent(texts::add);
        draft.effect(new MemoryEffect.Embed(new EmbedRequest(
                thought.callId(),
                thought.attempt(),
                draft.state().generations().current(),
                texts,
                thought.leaseUntil(),
                thought.leaseUntil())));
        draft.change(state -> state.withThought(thought));
    }

    private static Conclusion conclusionOf(PendingInference thought) {
        return Objects.requireNonNull(thought.conclusion(), "it has not been answered");
    }

    static void onEmbedded(MemoryDraft draft, PendingInference thought, Embedded answer) {
        int texts = conclusionOf(thought).opinion() == null ? 1 : 2;
        String current = draft.state().generations().current();
        boolean fits =
                BankCalls.isUsable(answer.vectors(), texts) && (current == null || current.equals(answer.generation()));
        if (fits && current == null) {
            draft.emit(meta -> new GenerationChanged(meta, answer.generation(), null, false));
        }
        complete(draft, thought, fits ? new TextVectors(answer.generation(), answer.vectors()) : TextVectors.NONE);
    }

    /**
     * Completes a reflection after the embedding of its answer, or its failure; restarts it if a cited unit was retired
     * in the meantime.
     */
    static void complete(MemoryDraft draft, PendingInference thought, TextVectors vectors) {
        Conclusion conclusion = conclusionOf(thought);
        if (!Grounding.isAllThere(draft, conclusion.basedOn())) {
            Reflection.restart(draft, thought);
            return;
        }
        DirectiveCheck.firstBroken(conclusion.publishedText(), draft.state().directives())
                .ifPresentOrElse( // a directive may have been added since the answer was checked
                        broken -> withhold(draft, thought, conclusion, broken.directive()),
                        () -> finish(draft, thought, null, vectors));
    }

    /** Completes a reflection without its answer, which breaks a directive. */
    static void withhold(MemoryDraft draft, PendingInference thought, Conclusion conclusion, Directive broken) {
        finish(draft, thought.withConclusion(conclusion.withoutTexts()), broken.name(), TextVectors.NONE);
    }

    /**
     * Stores and returns the answer.
     *
     * @param withheld name of the directive for which the answer is withheld, or null
     */
    static void finish(MemoryDraft draft, PendingInference thought, @Nullable String withheld, TextVectors vectors) {
        draft.change(state -> state.withoutThought(thought));
        Conclusion conclusion = conclusionOf(thought);
        if (thought.model() != null) {
            MentalModelRefresh.storeAnswer(draft, thought, conclusion, withheld, vectors);
            return;
        }
        Reflected event = reflectedEvent(draft, thought, withheld, vectors);
        draft.emit(event);
        if (withheld == null && conclusion.opinion() != null && conclusion.confidence() != null) {
            OpinionFormation.form(draft, thought, event.id(), conclusion, vectors);
        }
        Outcome.Concluded outcome = outcome(draft, thought, event, withheld);
        draft.effect(new MemoryEffect.StoreOutcome(
                thought.id(), outcome.saying(""))); // erasure covers the event, so only that has the answer
        draft.sendOutcome(thought.outcomePartition(), outcome);
    }

    private static Reflected reflectedEvent(
            MemoryDraft draft, PendingInference thought, @Nullable String withheld, TextVectors vectors) {
        Conclusion conclusion = conclusionOf(thought);
        boolean found = withheld == null && !conclusion.basedOn().isEmpty();
        UUID bank = draft.state().open().id();
        UUID id = found
                ? Ids.of(
                        "reflection",
                        bank,
                        normalizeQuestion(thought.ask().question()),
                        thought.ask().tags())
                : Ids.of("reflection", bank, thought.id());
        return reflectedEvent(draft, thought, id, null, conclusion.answer(), withheld, vectors);
    }

    static Reflected reflectedEvent(
            MemoryDraft draft,
            PendingInference thought,
            UUID id,
            @Nullable UUID mentalModel,
            String answer,
            @Nullable String withheld,
            TextVectors vectors) {
        Conclusion conclusion = conclusionOf(thought);
        return new Reflected(
                meta(draft, thought, mentalModel),
                id,
                mentalModel,
                thought.ask().session(),
                thought.ask().question(),
                thought.ask().tags(),
                answer,
                conclusion.basedOn(),
                thought.evidence(),
                conclusion.how(),
                conclusion.prompt(),
                conclusion.model(),
                thought.modelCalls(),
                thought.usage(),
                withheld,
                vectors.generation(0),
                vectors.vector(0));
    }

    private static MemoryMeta meta(MemoryDraft draft, PendingInference thought, @Nullable UUID mentalModel) {
        return new MemoryMeta(
                draft.state().open(),
                draft.state().lastSeq() + 1,
                draft.now(),
                mentalModel == null ? thought.id() : null,
                thought.by());
    }

    static String normalizeQuestion(String question) {
        return question.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }

    private static Outcome.Concluded outcome(
            MemoryDraft draft, PendingInference thought, Reflected event, @Nullable String withheld) {
        Conclusion conclusion = conclusionOf(thought);
        List<Verdict> verdicts = withheld == null
                ? DirectiveCheck.of(conclusion.publishedText(), draft.state().directives())
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
        return withheld == null ? answer : Directive.withheldNotice(withheld);
    }

    private static List<String> names(List<Verdict> verdicts, Class<? extends Verdict> kind) {
        return verdicts.stream()
                .filter(kind::isInstance)
                .map(verdict -> verdict.directive().name())
                .toList();
    }

    /** The outcome for a duplicate of the question: the first one, unless the answer was erased. */
    static Outcome duplicate(MemoryDraft draft, Outcome.Concluded before) {
        return draft.memory()
                .reflection(before.reflection(), before.commandId())
                .<Outcome>map(event -> before.saying(text(event.answer(), event.withheld())))
                .orElseGet(() -> Outcome.erased(before.key(), before.commandId()));
    }

    static void refuse(MemoryDraft draft, PendingInference thought, String code, String message) {
        BankCalls.chargeReservation(draft, thought.callId());
        draft.change(state -> state.withoutThought(thought));
        UUID model = thought.model();
        if (model != null) { // refreshed again when due
            draft.change(state -> state.standing(model)
                    .map(modelState -> state.withModel(modelState.asStale()))
                    .orElse(state));
        } else {
            var refused = new Outcome.Refused(draft.state().key(), thought.id(), code, message);
            draft.effect(new MemoryEffect.StoreOutcome(thought.id(), refused));
            draft.sendOutcome(thought.outcomePartition(), refused);
        }
    }
}
