package dev.parley.domain.memory.machine;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.PendingInference;
import dev.parley.domain.memory.PendingInference.Ask;
import dev.parley.domain.memory.PendingInference.Step;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.prompt.JsonAnswer;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.memory.reflect.Conclusion;
import dev.parley.domain.memory.reflect.DirectiveCheck;
import dev.parley.domain.memory.reflect.DirectiveCheck.Verdict;
import dev.parley.domain.memory.reflect.Disposition;
import dev.parley.domain.memory.reflect.ReflectPrompt;
import dev.parley.domain.memory.reflect.ReflectPrompt.Asked;
import dev.parley.domain.memory.reflect.ReflectPrompt.Identity;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reflection by a model: the evidence it is shown, its further searches, and the check of its answer. */
final class ModelReflection {
    private static final int MAX_QUERY_LENGTH = 500;

    private static final int CHARACTERS_A_TOKEN = 4;

    private static final ToolSpec SEARCH_TOOL = new ToolSpec(
                    Reflection.SEARCH,
                    "Searches the memories for something else. You are asked again with the results.",
                    """
                    {"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":500,"description":"Words to search for."}},\
                    "required":["query"],"additionalProperties":false}\
                    """,
                    ToolEffect.IDEMPOTENT,
                    Reflection.SEARCH_LEASE)
            .with(ToolAccess.READ);

    private ModelReflection() {}

    static void callModel(MemoryDraft draft, PendingInference thought) {
        ModelRequest request = request(draft, thought);
        if (BankCalls.reserve(draft, request)) {
            draft.effect(new MemoryEffect.CallModel(request));
            draft.change(state -> state.withThought(thought.charge(thought.modelCalls() + 1, Usage.NONE)));
        } else {
            Reflection.answerByRules(draft, thought);
        }
    }

    private static ModelRequest request(MemoryDraft draft, PendingInference thought) {
        Agent reader = Objects.requireNonNull(thought.ask().reader(), "only a model is asked");
        String user = thought.by() == null ? draft.state().open().user() : thought.by();
        return BankCalls.request(
                        draft,
                        thought.callId(),
                        thought.attempt(),
                        reader,
                        prompt(draft, thought),
                        thought.leaseUntil())
                .with()
                .step(thought.call())
                .tools(List.of(SEARCH_TOOL))
                .toolsAllowed(maySearch(thought))
                .user(user)
                .deadline(thought.deadline())
                .build();
    }

    /** The last call must be an answer. */
    private static boolean maySearch(PendingInference thought) {
        return thought.searches().size() < Reflection.SEARCHES && thought.modelCalls() < Reflection.MODEL_CALLS - 1;
    }

    private static Prompt prompt(MemoryDraft draft, PendingInference thought) {
        BankState state = draft.state();
        BankProfile profile = Objects.requireNonNull(state.profile(), "a bank that is open has a profile");
        String agent = state.open().agent();
        String background = profile.background();
        return ReflectPrompt.of(
                new Identity(agent == null ? profile.name() : agent, background == null ? "" : background),
                state.directives(),
                new Disposition(profile.skepticism(), profile.literalism(), profile.empathy()),
                asked(state, thought),
                thought.shown().stream()
                        .map(id ->
                                Grounding.evidence(draft, id).orElseGet(() -> Grounding.retiredPlaceholder(draft, id)))
                        .toList(),
                draft.now().atZone(Reflection.zone(draft, thought)));
    }

    private static Asked asked(BankState state, PendingInference thought) {
        Ask request = thought.ask();
        return new Asked(
                request.question(),
                request.asker() == null ? "" : Objects.requireNonNull(request.asker()),
                request.maxTokens(),
                state.pending(),
                thought.searches(),
                thought.model() == null,
                thought.objection() == null ? "" : Objects.requireNonNull(thought.objection()));
    }

    static void onModelAnswered(MemoryDraft draft, PendingInference before, ModelAnswered answer) {
        BankCalls.charge(draft, answer.callId(), answer.usage().tokens());
        PendingInference thought = before.charge(before.modelCalls(), answer.usage());
        query(thought, answer.blocks())
                .map(query -> thought.withSearch(query).withCall(draft, Step.SEARCH, Reflection.SEARCH_LEASE))
                .ifPresentOrElse(next -> Reflection.search(draft, next), () -> readConclusion(draft, thought, answer));
    }

    private static void readConclusion(MemoryDraft draft, PendingInference thought, ModelAnswered answer) {
        Conclusion conclusion = Conclusion.read(
                Message.text(answer.blocks()),
                thought.shown(),
                maxCharacters(thought),
                prompt(draft, thought).digest(),
                answer.provider() + "/" + answer.model());
        if (conclusion.answer().isBlank()) {
            Reflection.retryOrFallBack(draft, thought);
        } else if (Grounding.isAllThere(draft, thought.shown())) {
            check(draft, thought, conclusion);
        } else {
            Reflection.restart(draft, thought);
        }
    }

    /** The model's further search query, if it may search. */
    private static Optional<String> query(PendingInference thought, List<Block> blocks) {
        return Message.toolCalls(blocks).stream()
                .filter(call -> call.name().equals(Reflection.SEARCH)
                        && thought.searches().size() < Reflection.SEARCHES)
                .flatMap(call -> query(call.arguments()).stream())
                .filter(query -> !thought.searches().contains(query))
                .findFirst();
    }

    private static Optional<String> query(String arguments) {
        try {
            return JsonAnswer.read(arguments).text("query").filter(query -> query.length() <= MAX_QUERY_LENGTH);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // no valid search
        }
    }

    static int maxCharacters(PendingInference thought) {
        int characters = CHARACTERS_A_TOKEN * thought.ask().maxTokens();
        return thought.model() == null ? characters : Math.min(characters, Unit.MAX_LENGTH);
    }

    /** An answer that breaks a directive is withheld; the model gets one more attempt. */
    private static void check(MemoryDraft draft, PendingInference thought, Conclusion conclusion) {
        Optional<Verdict.Broken> broken = DirectiveCheck.firstBroken(
                conclusion.publishedText(), draft.state().directives());
        if (broken.isEmpty()) {
            ReflectionCompletion.conclude(draft, thought, conclusion);
        } else if (thought.objection() == null && thought.modelCalls() < Reflection.MODEL_CALLS) {
            callModel(draft, thought.withObjection(broken.get().what()).withCall(draft, Step.ANSWER, BankCalls.LEASE));
        } else {
            ReflectionCompletion.withhold(
                    draft, thought, conclusion, broken.get().directive());
        }
    }
}
