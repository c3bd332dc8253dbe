package dev.parley.channels.agui;

import dev.parley.channels.agui.RunInput.Resume;
import dev.parley.channels.agui.RunMessage.Role;
import dev.parley.channels.contract.Part;
import dev.parley.channels.protocols.AgentInvocation;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.UsableAgents;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.channels.web.TurnRequest;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.platform.http.ApiException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Starts or finds the turn of a run. A thread is a session, and a user message is one turn, however often it is sent
 * and under whichever run id; only messages that the session does not know are submitted.
 */
@Singleton
final class RunStarter {
    /** Maximum number of unanswered messages that are checked. */
    private static final int MAX_UNANSWERED = 20;

    /** Prefix of message ids of Parley. */
    private static final Pattern OWN = Pattern.compile("[0-9a-f]{32}-[0-9]");

    private final TurnService turns;
    private final UsableAgents agents;

    RunStarter(TurnService turns, UsableAgents agents) {
        this.turns = turns;
        this.agents = agents;
    }

    /** A run in its session. */
    private record Run(AgentInvocation call, RecordKey key, RunInput input) {
        UUID turn(RunMessage message) {
            return key.turnId(Origin.API.code(), reference(message));
        }

        /** Derived from id and content: an edited message is another one, even under the same id. */
        String reference(RunMessage message) {
            String id = message.id() == null ? input.runId() : message.id();
            return "agui " + Ids.of("agui", id, message.json().path("content").toString());
        }
    }

    /**
     * The turn of a run, with all its cached deltas. The caller closes the result.
     *
     * @throws ApiException when it is refused
     */
    FollowedTurn begin(AgentInvocation call, RunInput input) throws InterruptedException {
        agents.require(call.caller(), call.project(), call.agent());
        var run = new Run(call, call.key(input.threadId()), input);
        return input.resume().isEmpty() ? submit(run) : resume(run);
    }

    private FollowedTurn resume(Run run) {
        if (run.input().hasNewMessage()) {
            throw ApiException.badRequest(
                    "resume_and_message",
                    "A run either answers interrupts or sends a message: send the message in the next run.");
        }
        @Nullable UUID turn = null;
        for (Resume resume : run.input().resume()) {
            Optional<Interrupt> interrupt = Interrupt.parse(resume.interruptId());
            if (interrupt.isPresent()) {
                turn = interrupt.get().turn();
                decide(run, interrupt.get(), resume);
            }
        }
        if (turn == null) {
            throw ApiException.badRequest("unknown_interrupt", "None of the interrupts is known.");
        }
        submitResults(run, turn);
        return turns.follow(run.call().caller(), run.key(), turn);
    }

    /** The first decision counts; a later one is ignored. */
    private void decide(Run run, Interrupt interrupt, Resume resume) {
        try {
            turns.decide(run.call().caller(), run.key(), interrupt.approval(), resume.answer());
        } catch (ApiException e) {
            if (!e.code().startsWith("unknown_") && !e.code().equals("no_active_turn")) {
                throw e;
            }
        }
    }

    /** Submits the results of pending calls. The conversation also contains older results, which are ignored. */
    private void submitResults(Run run, UUID turn) {
        Map<String, RunMessage> results = new HashMap<>();
        for (RunMessage message : run.input().messages()) {
            if (message.callId() != null && message.callId().startsWith(RunEvents.idPrefix(turn))) {
                results.put(message.callId(), message);
            }
        }
        if (results.isEmpty()) {
            return;
        }
        for (CallerCall call : turns.awaitedCalls(run.call().caller(), run.key())) {
            RunMessage result = call.turnId().equals(turn)
                    ? results.get(RunEvents.callId(turn, call.step(), call.toolCallId()))
                    : null;
            if (result != null) {
                submitResults(run, call, result);
            }
        }
    }

    /** The first result counts; a later one is ignored. */
    private void submitResults(Run run, CallerCall call, RunMessage result) {
        boolean failed = result.json().hasNonNull("error");
        String content =
                failed && result.text().isBlank() ? result.json().path("error").asText() : result.text();
        try {
            turns.answer(run.call().caller(), run.key(), call.callId(), content, failed);
        } catch (ApiException e) {
            if (!e.code().equals("unknown_call")) {
                throw e;
            }
        }
    }

    private FollowedTurn submit(Run run) throws InterruptedException {
        RunInput input = run.input();
        int last = input.lastUserMessage();
        if (last < 0) {
            throw ApiException.badRequest("nothing_said", "There is no message of the role 'user' in 'messages'.");
        }
        RunMessage message = input.messages().get(last);
        if (last < input.messages().size() - 1 && !isOnlyAside(input, last)) {
            // the client has a part of the answer, so no message is submitted
            submitResults(run, run.turn(message));
            return follow(run, message);
        }
        int from = firstUnknown(run, input.firstUnansweredIndex(), last);
        seed(run, from);
        return submit(run, message, parts(input, from, last));
    }

    private FollowedTurn submit(Run run, RunMessage message, List<Part> parts) {
        AgentInvocation call = run.call();
        try {
            var turnRequest = new TurnRequest(
                    null, parts, "followup", call.agent(), null, run.input().tools());
            var turn = turns.turn(call.caller(), run.key(), turnRequest, run.reference(message), call.trace());
            return turns.beginOrFollow(run.key(), turn);
        } catch (ApiException e) {
            if (e.code().equals("idempotency_mismatch")) { // the same message in another context
                return follow(run, message);
            }
            throw e;
        }
    }

    private FollowedTurn follow(Run run, RunMessage message) {
        return turns.follow(run.call().caller(), run.key(), run.turn(message));
    }

    /** Whether only client-internal or system messages follow. */
    private static boolean isOnlyAside(RunInput input, int last) {
        return input.messages().subList(last + 1, input.messages().size()).stream()
                .allMatch(message -> message.role() == Role.OTHER || message.role() == Role.PROGRAM);
    }

    /**
     * The index of the first message that the session does not know: the client may have lost the answer to an earlier
     * one.
     */
    private int firstUnknown(Run run, int first, int last) throws InterruptedException {
        int earliest = Math.max(first, last - MAX_UNANSWERED);
        for (int i = last - 1; i >= earliest; i--) {
            RunMessage message = run.input().messages().get(i);
            if (message.role() == Role.USER && isKnown(run, message)) {
                return i + 1;
            }
        }
        return first;
    }

    private boolean isKnown(Run run, RunMessage message) throws InterruptedException {
        try {
            turns.find(run.call().caller(), run.key(), run.turn(message), Duration.ZERO);
            return true;
        } catch (ApiException e) {
            if (e.code().equals("unknown_turn")) {
                return false;
            }
            throw e;
        }
    }

    /** The content to submit: instructions and context of the application first, as part of the caller's message. */
    static List<Part> parts(RunInput input, int from, int last) {
        List<RunMessage> unanswered = input.messages().subList(from, last + 1);
        if (unanswered.stream().filter(message -> message.role() == Role.USER).allMatch(RunMessage::isEmpty)) {
            throw ApiException.badRequest("nothing_said", "The last user message is empty.");
        }
        String instructions = unanswered.stream()
                .filter(message -> message.role() == Role.PROGRAM)
                .map(RunMessage::text)
                .collect(Collectors.joining("\n\n"));
        return MessageParts.join(
                List.of(instructions, input.context()),
                unanswered.stream()
                        .filter(message -> message.role() == Role.USER)
                        .map(RunMessage::parts)
                        .toList());
    }

    /** Imports the earlier conversation into a new session. */
    private void seed(Run run, int from) {
        List<Message> history = history(run.input(), from);
        if (history.isEmpty()) {
            return;
        }
        AgentInvocation call = run.call();
        call.caller().require(Capability.SESSION_CREATE, call.project().projectKey());
        String reference = run.reference(run.input().messages().get(run.input().lastUserMessage()));
        try {
            turns.seed(call.caller(), run.key(), reference, call.agent(), null, history);
        } catch (ApiException e) {
            if (!e.code().equals("session_exists")) {
                throw e;
            }
        }
    }

    /** The earlier conversation as texts; empty where the agent has already answered here. */
    private List<Message> history(RunInput input, int from) {
        var history = new ArrayList<Message>();
        for (RunMessage message : input.messages().subList(0, from)) {
            if (message.id() != null && OWN.matcher(message.id()).lookingAt()) {
                return List.of();
            }
            if ((message.role() == Role.USER || message.role() == Role.AGENT) && !message.isEmpty()) {
                history.add(new Message(
                        message.role() == Role.USER
                                ? dev.parley.domain.content.Role.USER
                                : dev.parley.domain.content.Role.ASSISTANT,
                        turns.blocks(message.parts()),
                        false,
                        null,
                        null));
            }
        }
        return history;
    }
}
