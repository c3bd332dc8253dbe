package dev.parley.memory.embed;

import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.embedding.Embedder;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.CallHandler;
import dev.parley.platform.worker.WorkerLoop;
import dev.parley.platform.worker.WorkerRequest;
import dev.parley.platform.worker.WorkerSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Worker that embeds texts: requests of this process and of {@code embed-requests}. */
public final class EmbeddingWorker implements Service {
    /** The consumer group. */
    public static final String GROUP = "embedding-workers";

    private final WorkerLoop<EmbedRequest> loop;

    /**
     * @param meters registry of its metrics, or null
     * @param localDispatch in-process call channel of the topologies
     */
    public EmbeddingWorker(
            KafkaClients clients,
            Embedders embedders,
            WorkerSettings settings,
            @Nullable MeterRegistry meters,
            LocalDispatch localDispatch) {
        loop = new WorkerLoop<>(
                clients, Topics.EMBED_REQUESTS, new Embedding(embedders), settings, meters, localDispatch);
    }

    private record Embedding(Embedders embedders) implements CallHandler<EmbedRequest> {
        @Override
        public WorkerRequest classify(EmbedRequest request) {
            return new WorkerRequest.Call(
                    request.callId(), request.attempt(), request.leaseUntil(), request.deadline());
        }

        @Override
        public int weight(EmbedRequest request) {
            return request.texts().stream().mapToInt(String::length).sum();
        }

        @Override
        public Execution begin(EmbedRequest request, CallContext context) {
            return new Execution() {
                @Override
                public CallResult run() {
                    Embedder embedder = embedders.of(request.generation());
                    List<Vector> vectors = embedder.embed(request.texts()).stream()
                            .map(Vector::of)
                            .toList();
                    return new CallResult.Embedded(request.callId(), request.attempt(), embedder.name(), vectors);
                }

                @Override
                public CallResult failure(ErrorCategory category, String detail) {
                    return new CallResult.ModelFailed(
                            request.callId(), request.attempt(), category, detail, null, List.of());
                }
            };
        }
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        loop.start();
    }

    @Override
    public Optional<String> problem() {
        return loop.problem();
    }

    @Override
    public void close() {
        loop.close();
    }
}
