package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.memory.Thought.Ask;
import dev.parley.domain.memory.Thought.Step;
import dev.parley.domain.memory.prompt.Answer;
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
final class ModelReflecting {
    private static final int MAX_QUERY_LENGTH = 500;

    private static final int CHARACTERS_A_TOKEN = 4;

    private static final ToolSpec SEARCH_TOOL = new ToolSpec(
                    Reflecting.SEARCH,
                    "Searches your memory for something else, in a few words. You are asked again with what it finds.",
                    """
                    {"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":500}},\
                    "required":["query"],"additionalProperties":false}""",
                    ToolEffect.IDEMPOTENT,
                    Reflecting.SEARCH_LEASE)
            .with(ToolAccess.READ);

    private ModelReflecting() {}

    static void askModel(MemoryDraft draft, Thought thought) {
        BankRef bank = draft.state().open();
        Prompt prompt = prompt(draft, thought);
        Agent reader = Objects.requireNonNull(thought.ask().reader(), "only a model is asked");
        var request = new ModelRequest(
                thought.callId(),
                bank.host(),
                bank.id(),
                null,
                thought.call(),
                thought.attempt(),
                ModelRequest.Purpose.MEMORY,
                reader.forMemory(prompt.system()),
                null,
                List.of(Message.text(Role.USER, prompt.user())),
                null,
                List.of(SEARCH_TOOL),
                List.of(),
                maySearch(thought),
                thought.by() == null ? bank.user() : thought.by(),
                thought.leaseUntil(),
                thought.deadline());
        if (FactExtraction.spends(draft, request)) {
            draft.effect(new MemoryEffect.AskModel(request));
            draft.change(state -> state.with(thought.counted(thought.modelCalls() + 1, Usage.NONE)));
        } else {
            Reflecting.byRules(draft, thought);
        }
    }

    /** The last call must be an answer. */
    private static boolean maySearch(Thought thought) {
        return thought.searches().size() < Reflecting.SEARCHES && thought.modelCalls() < Reflecting.MODEL_CALLS - 1;
    }

    private static Prompt prompt(MemoryDraft draft, Thought thought) {
        BankState state = draft.state();
        BankProfile profile = Objects.requireNonNull(state.profile(), "a bank that is open has a profile");
        Ask ask = thought.ask();
        String agent = state.open().agent();
        String background = profile.background();
        return ReflectPrompt.of(
                new Identity(agent == null ? profile.name() : agent, background == null ? "" : background),
                state.directives(),
                new Disposition(profile.skepticism(), profile.literalism(), profile.empathy()),
                new Asked(
                        ask.question(),
                        ask.asker() == null ? "" : Objects.requireNonNull(ask.asker()),
                        ask.maxTokens(),
                        state.pending(),
                        thought.searches(),
                        thought.model() == null,
                        thought.objection() == null ? "" : Objects.requireNonNull(thought.objection())),
                thought.shown().stream()
                        .map(id -> Grounding.evidence(draft, id).orElseGet(() -> Grounding.gone(draft, id)))
                        .toList(),
                draft.now());
    }

    static void said(MemoryDraft draft, Thought before, ModelAnswered answer) {
        Thought thought = before.counted(before.modelCalls(), answer.usage());
        Optional<String> query = query(thought, answer.blocks());
        if (query.isPresent()) {
            Reflecting.find(
                    draft,
                    thought.searching(query.get())
                            .asking(
                                    draft.state().key(),
                                    Step.SEARCH,
                                    draft.now().plus(Reflecting.SEARCH_LEASE)));
            return;
        }
        Prompt prompt = prompt(draft, thought);
        Conclusion conclusion = Conclusion.read(
                Message.text(answer.blocks()),
                thought.shown(),
                mostCharacters(thought),
                prompt.digest(),
                answer.provider() + "/" + answer.model());
        if (conclusion.answer().isBlank()) {
            Reflecting.failed(draft, thought);
        } else if (Grounding.isAllThere(draft, thought.shown())) {
            checked(draft, thought, conclusion);
        } else {
            Reflecting.anew(draft, thought);
        }
    }

    /** The model's further search query, if it may search. */
    private static Optional<String> query(Thought thought, List<Block> blocks) {
        return Message.toolCalls(blocks).stream()
                .filter(call -> call.name().equals(Reflecting.SEARCH)
                        && thought.searches().size() < Reflecting.SEARCHES)
                .flatMap(call -> query(call.arguments()).stream())
                .filter(query -> !thought.searches().contains(query))
                .findFirst();
    }

    private static Optional<String> query(String arguments) {
        try {
            return Answer.read(arguments).text("query").filter(query -> query.length() <= MAX_QUERY_LENGTH);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // it is no search, so there is none
        }
    }

    static int mostCharacters(Thought thought) {
        int most = CHARACTERS_A_TOKEN * thought.ask().maxTokens();
        return thought.model() == null ? most : Math.min(most, Unit.MAX_LENGTH);
    }

    /** An answer that breaks a directive is withheld; the model gets one more attempt. */
    private static void checked(MemoryDraft draft, Thought thought, Conclusion conclusion) {
        List<Verdict> verdicts =
                DirectiveCheck.of(conclusion.said(), draft.state().directives());
        if (DirectiveCheck.passes(verdicts)) {
            ReflectionCompletion.conclude(draft, thought, conclusion);
        } else if (thought.objection() == null && thought.modelCalls() < Reflecting.MODEL_CALLS) {
            askModel(
                    draft,
                    thought.objected(what(verdicts))
                            .asking(
                                    draft.state().key(),
                                    Step.ANSWER,
                                    draft.now().plus(FactExtraction.LEASE)));
        } else {
            ReflectionCompletion.finish(
                    draft, thought.concluding(conclusion.withheld()), broken(verdicts), null, List.of());
        }
    }

    private static String what(List<Verdict> verdicts) {
        return verdicts.stream()
                .filter(Verdict.Broken.class::isInstance)
                .map(verdict -> ((Verdict.Broken) verdict).what())
                .findFirst()
                .orElseThrow();
    }

    static String broken(List<Verdict> verdicts) {
        return verdicts.stream()
                .filter(Verdict.Broken.class::isInstance)
                .map(verdict -> verdict.directive().name())
                .findFirst()
                .orElseThrow();
    }
}
