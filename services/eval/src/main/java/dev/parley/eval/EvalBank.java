package dev.parley.eval;

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
import dev.parley.memory.search.ItemKind;
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

/** A memory bank that has retained a conversation turn by turn, of two messages each, with facts extracted by rules. */
final class EvalBank {
    private static final UUID HOST = Ids.of("host", "eval");

    private final StandaloneBank bank;
    private final BankRef ref;
    private final @Nullable Embeddings embeddings;
    private final int dimensions;
    /** Ids of messages, by document and digest of a chunk. */
    private final Map<String, String> messagesByChunk = new HashMap<>();

    /** @param embeddings null for random vectors */
    EvalBank(EvalConversation conversation, Index index, @Nullable Embeddings embeddings, int dimensions)
            throws IOException {
        this.embeddings = embeddings;
        this.dimensions = dimensions;
        ref = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, conversation.bank());
        bank = new StandaloneBank(ref, index);
        List<EvalConversation.Message> messages = conversation.messages();
        for (int i = 0; i < messages.size(); ) {
            int to = i + 1 < messages.size() && isSameTurn(messages.get(i), messages.get(i + 1)) ? i + 2 : i + 1;
            retain(messages.subList(i, to));
            i = to;
        }
    }

    private static boolean isSameTurn(EvalConversation.Message first, EvalConversation.Message next) {
        return first.session().equals(next.session()) && first.position() % 2 == 0;
    }

    private void retain(List<EvalConversation.Message> turn) throws IOException {
        EvalConversation.Message first = turn.getFirst();
        UUID doc = Ids.of("doc", ref.id(), first.session(), first.position());
        Instant time = first.time() == null ? Instant.EPOCH : first.time();
        recordChunks(turn, doc);
        apply(
                new Retain(
                        new CommandMeta(Ids.of("retain", doc), HOST, time, null, null, null),
                        ref,
                        doc,
                        RecordKey.of("eval:" + first.session()),
                        doc,
                        first.position() / 2L,
                        utterances(turn),
                        null,
                        List.of(),
                        time,
                        null),
                time);
    }

    private void recordChunks(List<EvalConversation.Message> turn, UUID doc) {
        for (EvalConversation.Message message : turn) {
            Chunks.of(message.text())
                    .forEach(chunk -> messagesByChunk.putIfAbsent(key(doc, chunk.sha256()), message.id()));
        }
    }

    private static String key(UUID doc, String chunk) {
        return doc + "/" + chunk.substring(0, 12);
    }

    /** A turn that the agent begins has an empty message of the user first. */
    private static List<Utterance> utterances(List<EvalConversation.Message> turn) {
        var utterances = new ArrayList<Utterance>();
        if (turn.getFirst().position() % 2 == 1) {
            utterances.add(new Utterance(Role.USER, null, ""));
        }
        for (EvalConversation.Message message : turn) {
            utterances.add(new Utterance(
                    message.isAgents() ? Role.ASSISTANT : Role.USER,
                    message.isNamed() ? message.speaker() : null,
                    message.text()));
        }
        return utterances;
    }

    /** Applies an input, and answers requests for embeddings at once. */
    private void apply(MemoryInput input, Instant time) throws IOException {
        Deque<MemoryInput> inputs = new ArrayDeque<>(List.of(input));
        while (!inputs.isEmpty()) {
            for (MemoryEffect effect : bank.handle(inputs.remove(), time)) {
                if (effect instanceof MemoryEffect.Embed embed) {
                    inputs.add(new MemoryInput.Answered(embed(embed.request())));
                }
            }
        }
    }

    private CallResult embed(EmbedRequest request) throws IOException {
        Embeddings from = embeddings;
        if (from != null) {
            from.embed(request.texts());
        }
        return new CallResult.Embedded(
                request.callId(),
                request.attempt(),
                MiniLm.SHARED.name(),
                request.texts().stream()
                        .map(text -> from == null ? randomVector(text) : Vector.of(from.of(text)))
                        .toList());
    }

    /** A vector derived from the text, unlike those of other texts. */
    private Vector randomVector(String text) {
        var random = new Random(text.hashCode());
        var values = new float[dimensions];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return Vector.of(values);
    }

    /** The messages that a hit refers to. */
    Stream<String> evidence(RecallHit hit) {
        return hit.kind() == ItemKind.TURN
                ? Stream.of(Objects.requireNonNull(
                        messagesByChunk.get(hit.id().substring(0, hit.id().lastIndexOf('/')))))
                : evidence(bank.memory().unit(Ids.parse(hit.id())).orElseThrow().unit());
    }

    private Stream<String> evidence(Unit unit) {
        Provenance provenance = unit.provenance();
        if (provenance == null) {
            return unit.sources().stream()
                    .flatMap(source ->
                            evidence(bank.memory().unit(source).orElseThrow().unit()));
        }
        UUID doc = Objects.requireNonNull(unit.docId());
        return Stream.of(Objects.requireNonNull(messagesByChunk.get(key(doc, provenance.chunk()))));
    }

    /** The number of current facts and observations. */
    long units() {
        return bank.memory().activeCount();
    }
}
