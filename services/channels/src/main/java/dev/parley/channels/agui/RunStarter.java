package dev.parley.channels.agui;

import dev.parley.channels.agui.RunInput.Resume;
import dev.parley.channels.agui.RunMessage.Role;
import dev.parley.channels.protocols.Agents;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.channels.web.SayRequest;
import dev.parley.channels.web.SayRequest.Part;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Origin;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
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
@Requires(property = "parley.role.channels", value = "true")
final class RunStarter {
    /** Maximum number of unanswered messages that are checked. */
    private static final int MAX_UNANSWERED = 20;

    /** Prefix of message ids of Parley. */
    private static final Pattern OWN = Pattern.compile("[0-9a-f]{32}-[0-9]");

    private final TurnService turns;
    private final Agents agents;

    RunStarter(TurnService turns, Agents agents) {
        this.turns = turns;
        this.agents = agents;
    }

    /**
     * Caller, project and agent of a run.
     *
     * @param trace the caller's span, or null
     */
    record Asking(
            Caller caller,
            Project project,
            String agent,
            @Nullable String trace) {}

    /** A run in its session. */
    private record Order(Asking asking, RecordKey key, RunInput input) {
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
    FollowedTurn begin(Asking asking, RunInput input) throws InterruptedException {
        if (agents.find(asking.caller(), asking.project(), asking.agent()).isEmpty()) {
            throw ApiException.notFound("unknown_agent", "There is no agent '%s'".formatted(asking.agent()));
        }
        RecordKey key = asking.caller().session(asking.project().projectKey(), input.threadId());
        var order = new Order(asking, key, input);
        return input.resume().isEmpty() ? say(order) : resume(order);
    }

    private FollowedTurn resume(Order order) {
        RunInput input = order.input();
        boolean saysMore = input.asked() >= 0
                && input.unanswered() > 0
                && input.asked() == input.messages().size() - 1;
        if (saysMore) {
            throw ApiException.badRequest(
                    "resume_and_message",
                    "A run either answers interrupts or sends a message: send the message in the next run.");
        }
        @Nullable UUID turn = null;
        for (Resume resume : input.resume()) {
            Optional<Interrupt> interrupt = Interrupt.parse(resume.interruptId());
            if (interrupt.isPresent()) {
                turn = interrupt.get().turn();
                decide(order, interrupt.get(), resume);
            }
        }
        if (turn == null) {
            throw ApiException.badRequest("unknown_interrupt", "None of the interrupts is known.");
        }
        submitResults(order, turn);
        return turns.follow(order.asking().caller(), order.key(), turn);
    }

    /** The first decision counts; a later one is ignored. */
    private void decide(Order order, Interrupt interrupt, Resume resume) {
        try {
            turns.decide(order.asking().caller(), order.key(), interrupt.approval(), resume.answer());
        } catch (ApiException e) {
            if (!e.code().startsWith("unknown_") && !e.code().equals("no_active_turn")) {
                throw e;
            }
        }
    }

    /** Submits the results of pending calls. The conversation also contains older results, which are ignored. */
    private void submitResults(Order order, UUID turn) {
        Map<String, RunMessage> results = new HashMap<>();
        for (RunMessage message : order.input().messages()) {
            if (message.callId() != null && message.callId().startsWith(RunEvents.own(turn))) {
                results.put(message.callId(), message);
            }
        }
        if (results.isEmpty()) {
            return;
        }
        for (CallerCall call : turns.awaited(order.asking().caller(), order.key())) {
            RunMessage result = call.turnId().equals(turn)
                    ? results.get(RunEvents.callId(turn, call.step(), call.toolCallId()))
                    : null;
            if (result != null) {
                submitResults(order, call, result);
            }
        }
    }

    /** The first result counts; a later one is ignored. */
    private void submitResults(Order order, CallerCall call, RunMessage result) {
        boolean failed = result.json().hasNonNull("error");
        String content =
                failed && result.text().isBlank() ? result.json().path("error").asText() : result.text();
        try {
            turns.answer(order.asking().caller(), order.key(), call.callId(), content, failed);
        } catch (ApiException e) {
            if (!e.code().equals("unknown_call")) {
                throw e;
            }
        }
    }

    private FollowedTurn say(Order order) throws InterruptedException {
        RunInput input = order.input();
        int asked = input.asked();
        if (asked < 0) {
            throw ApiException.badRequest("nothing_said", "There is no message of the role 'user' in 'messages'.");
        }
        Caller caller = order.asking().caller();
        RunMessage message = input.messages().get(asked);
        if (asked < input.messages().size() - 1 && !isOnlyAside(input, asked)) {
            // the client has a part of the answer: nothing is submitted
            submitResults(order, order.turn(message));
            return turns.follow(caller, order.key(), order.turn(message));
        }
        int from = unsaid(order, input.unanswered(), asked);
        seed(order, from);
        try {
            var say = new SayRequest(
                    null, parts(input, from, asked), "followup", order.asking().agent(), null, input.tools());
            var turn = turns.turn(
                    caller,
                    order.key(),
                    say,
                    order.reference(message),
                    order.asking().trace());
            return turns.beginOrFollow(order.key(), turn);
        } catch (ApiException e) {
            if (e.code().equals("idempotency_mismatch")) { // the same message in another context
                return turns.follow(caller, order.key(), order.turn(message));
            }
            throw e;
        }
    }

    /** Whether only client-internal or system messages follow. */
    private static boolean isOnlyAside(RunInput input, int asked) {
        return input.messages().subList(asked + 1, input.messages().size()).stream()
                .allMatch(message -> message.role() == Role.OTHER || message.role() == Role.PROGRAM);
    }

    /**
     * The index of the first message that the session does not know: the client may have lost the answer to an earlier
     * one.
     */
    private int unsaid(Order order, int first, int asked) throws InterruptedException {
        int least = Math.max(first, asked - MAX_UNANSWERED);
        for (int i = asked - 1; i >= least; i--) {
            RunMessage message = order.input().messages().get(i);
            if (message.role() == Role.USER && isSaid(order, message)) {
                return i + 1;
            }
        }
        return first;
    }

    private boolean isSaid(Order order, RunMessage message) throws InterruptedException {
        try {
            turns.find(order.asking().caller(), order.key(), order.turn(message), Duration.ZERO);
            return true;
        } catch (ApiException e) {
            if (e.code().equals("unknown_turn")) {
                return false;
            }
            throw e;
        }
    }

    /** The content to submit: instructions and context of the application first, as part of the caller's message. */
    static List<Part> parts(RunInput input, int from, int asked) {
        List<RunMessage> news = input.messages().subList(from, asked + 1);
        if (news.stream().filter(one -> one.role() == Role.USER).allMatch(RunMessage::isEmpty)) {
            throw ApiException.badRequest("nothing_said", "The last user message is empty.");
        }
        String before = news.stream()
                .filter(one -> one.role() == Role.PROGRAM)
                .map(RunMessage::text)
                .collect(Collectors.joining("\n\n"));
        return MessageParts.join(
                List.of(before, input.context()),
                news.stream()
                        .filter(one -> one.role() == Role.USER)
                        .map(RunMessage::parts)
                        .toList());
    }

    /** Imports the earlier conversation into a new session. */
    private void seed(Order order, int from) {
        List<Message> history = history(order.input(), from);
        if (history.isEmpty()) {
            return;
        }
        Asking asking = order.asking();
        asking.caller().require(Capability.SESSION_CREATE, asking.project().projectKey());
        String reference =
                order.reference(order.input().messages().get(order.input().asked()));
        try {
            turns.seed(asking.caller(), order.key(), reference, asking.agent(), null, history);
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
