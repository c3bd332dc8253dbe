package dev.parley.domain.memory.machine;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.Budget;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.prompt.Prompt;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ModelRequestBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The calls of a bank to models for text and for vectors: requests, retries, and the charges to its budget. */
final class BankCalls {
    /** Lease of a worker on a call; the call is retried if the lease is not renewed in time. */
    static final Duration LEASE = Duration.ofSeconds(30);

    /** Timeout of a call. */
    static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Maximum attempts of a model call. */
    static final int MODEL_ATTEMPTS = 3;

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);
    private static final int MAX_DOUBLINGS = 10;

    private BankCalls() {}

    /** A request to a model, without tools. */
    static ModelRequest request(
            MemoryDraft draft, UUID callId, int attempt, Agent reader, Prompt prompt, Instant leaseUntil) {
        BankRef bank = draft.state().open();
        return ModelRequestBuilder.builder()
                .callId(callId)
                .host(bank.host())
                .sessionId(bank.id())
                .attempt(attempt)
                .purpose(ModelRequest.Purpose.MEMORY)
                .agent(reader.forMemory(prompt.system()))
                .messages(List.of(Message.text(Role.USER, prompt.user())))
                .tools(List.of())
                .toolDigests(List.of())
                .user(bank.user())
                .leaseUntil(leaseUntil)
                .deadline(draft.now().plus(TIMEOUT))
                .build();
    }

    /** A request for vectors of the searched generation. */
    static EmbedRequest embedRequest(
            MemoryDraft draft, UUID callId, int attempt, List<String> texts, Instant leaseUntil) {
        return new EmbedRequest(
                callId,
                attempt,
                draft.state().generations().current(),
                texts,
                leaseUntil,
                draft.now().plus(TIMEOUT));
    }

    /** Whether there is one vector per text, all of the same dimension and not zero. */
    static boolean isUsable(List<Vector> vectors, int texts) {
        return vectors.size() == texts
                && vectors.stream()
                        .allMatch(vector -> vector.isDirected()
                                && vector.size() == vectors.getFirst().size());
    }

    /** The back-off after this many failures. */
    static Duration backoff(int failures) {
        long millis = FIRST_BACKOFF.toMillis() << Math.min(failures, MAX_DOUBLINGS);
        return Duration.ofMillis(Math.min(millis, MAX_BACKOFF.toMillis()));
    }

    /** Reserves the maximum cost of a call in today's budget. Returns whether it suffices. */
    static boolean reserve(MemoryDraft draft, ModelRequest request) {
        Budget budget = draft.state().budget().on(draft.now());
        boolean allowed = budget.chargeReservation(request.callId()).allows(maxTokens(request));
        draft.change(state -> state.withBudget(
                allowed
                        ? budget.reserve(request.callId(), maxTokens(request))
                        : budget.chargeReservation(request.callId())));
        return allowed;
    }

    /** Maximum tokens of a call: a token has at least one byte. */
    private static long maxTokens(ModelRequest request) {
        long prompt = bytes(request.agent().prompt());
        for (Message message : request.messages()) {
            prompt += bytes(message.text());
        }
        return prompt + Budget.ANSWER;
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Charges the reported usage of a call. */
    static void charge(MemoryDraft draft, UUID callId, long tokens) {
        draft.change(state -> state.withBudget(state.budget().on(draft.now()).charge(callId, tokens)));
    }

    /** Charges the reservation of a call whose usage will never be reported. */
    static void chargeReservation(MemoryDraft draft, UUID callId) {
        draft.change(state -> state.withBudget(state.budget().chargeReservation(callId)));
    }
}
