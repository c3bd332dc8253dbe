package dev.parley.eval;

import dev.parley.domain.Sha256;
import dev.parley.platform.embedding.Embedder;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Embeddings of texts, cached in a file where a folder is given. */
final class Embeddings {
    private static final int BATCH = 64;
    private static final int DIGEST = 32;

    private final Embedder embedder;
    private final @Nullable Path file;
    private final Map<String, float[]> vectors = new HashMap<>();

    Embeddings(Embedder embedder, @Nullable Path folder) throws IOException {
        this.embedder = embedder;
        file = folder == null ? null : Files.createDirectories(folder).resolve(embedder.name() + ".vectors");
        if (file != null && Files.exists(file)) {
            load(file);
        }
    }

    private void load(Path from) throws IOException {
        long record = DIGEST + (long) Float.BYTES * embedder.dimensions();
        long records = Files.size(from) / record; // an incomplete last record is not read
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(from)))) {
            for (long i = 0; i < records; i++) {
                String digest = HexFormat.of().formatHex(in.readNBytes(DIGEST));
                float[] vector = new float[embedder.dimensions()];
                for (int j = 0; j < vector.length; j++) {
                    vector[j] = in.readFloat();
                }
                vectors.put(digest, vector);
            }
        }
        if (Files.size(from) != records * record) {
            try (var channel = java.nio.channels.FileChannel.open(from, StandardOpenOption.WRITE)) {
                channel.truncate(records * record);
            }
        }
    }

    /** Embeds texts that are not cached, and prints the progress. */
    void embed(List<String> texts) throws IOException {
        var missing = new LinkedHashMap<String, String>();
        texts.stream()
                .filter(text -> !vectors.containsKey(Sha256.hex(text)))
                .forEach(text -> missing.put(Sha256.hex(text), text));
        List<Map.Entry<String, String>> entries = List.copyOf(missing.entrySet());
        for (int from = 0; from < entries.size(); from += BATCH) {
            List<Map.Entry<String, String>> batch = entries.subList(from, Math.min(from + BATCH, entries.size()));
            List<float[]> embeddings =
                    embedder.embed(batch.stream().map(Map.Entry::getValue).toList());
            for (int i = 0; i < batch.size(); i++) {
                vectors.put(batch.get(i).getKey(), embeddings.get(i));
            }
            save(batch);
            System.err.printf("\rvectors: %d of %d", from + batch.size(), entries.size());
        }
        if (!entries.isEmpty()) {
            System.err.println();
        }
    }

    private void save(List<Map.Entry<String, String>> batch) throws IOException {
        if (file == null) {
            return;
        }
        int record = DIGEST + Float.BYTES * embedder.dimensions();
        ByteBuffer bytes = ByteBuffer.allocate(record * batch.size());
        for (Map.Entry<String, String> text : batch) {
            bytes.put(HexFormat.of().parseHex(text.getKey()));
            for (float number : of(text.getValue())) {
                bytes.putFloat(number);
            }
        }
        try (var out = new DataOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
            out.write(bytes.array());
        }
    }

    /** The embedding of a text of {@link #embed}. */
    float[] of(String text) {
        return Objects.requireNonNull(vectors.get(Sha256.hex(text)), "a text without a vector");
    }
}
