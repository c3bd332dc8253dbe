package dev.parley.platform.embedding;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bundled model all-MiniLM-L6-v2, quantised. It runs in this process; loading it with the first text takes half a
 * second and 200 MB.
 */
public final class MiniLm implements Embedder {
    /** The instance of the process. */
    public static final MiniLm SHARED = new MiniLm(AllMiniLmL6V2QuantizedEmbeddingModel::new);

    private static final int MAX_LENGTH = 2_000;

    private final Supplier<EmbeddingModel> loading;
    private @Nullable EmbeddingModel model;

    private MiniLm(Supplier<EmbeddingModel> loading) {
        this.loading = loading;
    }

    private synchronized EmbeddingModel model() {
        EmbeddingModel loaded = model;
        if (loaded == null) {
            loaded = loading.get();
            model = loaded;
        }
        return loaded;
    }

    @Override
    public String name() {
        return "all-minilm-l6-v2-q";
    }

    @Override
    public int dimensions() {
        return 384;
    }

    @Override
    public List<float[]> vectors(List<String> texts) {
        var segments = texts.stream()
                .map(text -> TextSegment.from(EmbeddedText.truncate(text, MAX_LENGTH)))
                .toList();
        return model().embedAll(segments).content().stream()
                .map(Embedding::vector)
                .toList();
    }
}
