package dev.parley.server.eval;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.extract.Chunks;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.memory.bank.StandaloneBank;
import dev.parley.memory.recall.RecallHit;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Kind;
import dev.parley.platform.embedding.MiniLm;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A conversation as a bank remembers it after it was retained turn by turn: two messages a turn, with facts by rules, observations
 * and links, decided by the machine of banks.
 */
final class EvalBank {
    private static final UUID HOST = Ids.of("host", "eval");

    private final StandaloneBank bank;
    private final BankRef ref;
    private final @Nullable Embeddings embeddings;
    private final int dimensions;
    private final Map<String, String> chunks = new HashMap<>();

    /** @param embeddings where vectors come from, or null for vectors that say nothing */
    EvalBank(EvalConversation conversation, Index index, @Nullable Embeddings embeddings, int dimensions)
            throws IOException {
        this.embeddings = embeddings;
        this.dimensions = dimensions;
        ref = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, conversation.bank());
        bank = new StandaloneBank(ref, index);
        List<EvalConversation.Message> all = conversation.messages();
        for (int i = 0; i < all.size(); ) {
            int to = i + 1 < all.size() && isSameTurn(all.get(i), all.get(i + 1)) ? i + 2 : i + 1;
            retain(all.subList(i, to));
            i = to;
        }
    }

    private static boolean isSameTurn(EvalConversation.Message one, EvalConversation.Message next) {
        return one.session().equals(next.session()) && one.position() % 2 == 0;
    }

    private void retain(List<EvalConversation.Message> turn) throws IOException {
        EvalConversation.Message first = turn.getFirst();
        UUID doc = Ids.of("doc", ref.id(), first.session(), first.position());
        Instant at = first.time() == null ? Instant.EPOCH : first.time();
        var sayings = new ArrayList<Utterance>();
        if (first.position() % 2 == 1) {
            sayings.add(new Utterance(Role.USER, null, ""));
        }
        for (EvalConversation.Message message : turn) {
            sayings.add(new Utterance(
                    message.isAgents() ? Role.ASSISTANT : Role.USER,
                    message.isNamed() ? message.speaker() : null,
                    message.text()));
            Chunks.of(message.text())
                    .forEach(chunk ->
                            chunks.putIfAbsent(doc + "/" + chunk.sha256().substring(0, 12), message.id()));
        }
        give(
                new Retain(
                        new CommandMeta(Ids.of("retain", doc), HOST, at, null, null, null),
                        ref,
                        doc,
                        RecordKey.of("eval:" + first.session()),
                        doc,
                        first.position() / 2L,
                        sayings,
                        null,
                        List.of(),
                        at,
                        null),
                at);
    }

    /** Whoever is asked for vectors answers at once. */
    private void give(MemoryInput input, Instant at) throws IOException {
        Deque<MemoryInput> inputs = new ArrayDeque<>(List.of(input));
        while (!inputs.isEmpty()) {
            for (MemoryEffect effect : bank.handle(inputs.remove(), at)) {
                if (effect instanceof MemoryEffect.Embed embed) {
                    inputs.add(new MemoryInput.Answered(embedded(embed.request())));
                }
            }
        }
    }

    private CallResult embedded(EmbedRequest request) throws IOException {
        Embeddings from = embeddings;
        if (from != null) {
            from.make(request.texts());
        }
        return new CallResult.Embedded(
                request.callId(),
                request.attempt(),
                MiniLm.SHARED.name(),
                request.texts().stream()
                        .map(text -> from == null ? anyVector(text) : Vector.of(from.of(text)))
                        .toList());
    }

    /** Like no other one's. */
    private Vector anyVector(String text) {
        var random = new Random(text.hashCode());
        var values = new float[dimensions];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return Vector.of(values);
    }

    /** The messages that a hit is evidence of. */
    Stream<String> evidence(RecallHit hit) {
        return hit.kind() == Kind.TURN
                ? Stream.of(Objects.requireNonNull(
                        chunks.get(hit.id().substring(0, hit.id().lastIndexOf('/')))))
                : evidence(bank.memory()
                        .unit(UUID.fromString(hit.id()))
                        .orElseThrow()
                        .unit());
    }

    private Stream<String> evidence(Unit unit) {
        Provenance where = unit.provenance();
        if (where == null) {
            return unit.sources().stream()
                    .flatMap(source ->
                            evidence(bank.memory().unit(source).orElseThrow().unit()));
        }
        return Stream.of(Objects.requireNonNull(
                chunks.get(unit.docId() + "/" + where.chunk().substring(0, 12))));
    }

    /** How many facts and observations it holds to be true. */
    long units() {
        return bank.memory().activeCount();
    }
}
