package dev.parley.sessions.archive;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.sessions.archive.Manifest.Item;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.apache.avro.AvroRuntimeException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** A project archive opened for import. {@link #verify} must succeed before any of its content is used. */
final class Archive implements AutoCloseable {
    static final String SESSIONS = "sessions/";
    static final String BLOBS = "blobs/";
    static final String MEMORY = "memory/";
    static final String PROJECT = "project.json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MAX_JSON_BYTES = 256L << 20;

    private final ZipFile zip;
    private final Manifest manifest;

    private Archive(ZipFile zip, Manifest manifest) {
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * Opens an archive.
     *
     * @throws ArchiveException where it is not an archive, or was written by a newer version
     */
    static Archive open(Path file) throws IOException, ArchiveException {
        ZipFile zip;
        try {
            zip = new ZipFile(file.toFile());
        } catch (ZipException e) {
            throw damaged("it is not a complete ZIP file", e);
        }
        try {
            return new Archive(zip, manifest(zip));
        } catch (IOException | ArchiveException | RuntimeException e) {
            zip.close();
            throw e;
        }
    }

    private static ArchiveException damaged(String problem) {
        return damaged(problem, null);
    }

    private static ArchiveException damaged(String problem, @Nullable Throwable cause) {
        return new ArchiveException(
                "archive_damaged",
                "The archive is damaged: " + problem + ". Nothing was imported; export it again.",
                cause);
    }

    private static Manifest manifest(ZipFile zip) throws IOException, ArchiveException {
        JsonNode json = json(zip, Manifest.NAME);
        int format = json.path("format").asInt(0);
        int schemas = json.path("schemas").asInt(0);
        if (format > Manifest.FORMAT || schemas > Export.newestSchemas()) {
            throw new ArchiveException(
                    "archive_too_new",
                    "The archive was written by a newer Parley (%s: format %d, schemas %d); this one reads format %d, schemas %d. Update this installation first."
                            .formatted(
                                    json.path("parley").asText("unknown"),
                                    format,
                                    schemas,
                                    Manifest.FORMAT,
                                    Export.newestSchemas()));
        }
        try {
            return Objects.requireNonNull(JSON.treeToValue(json, Manifest.class));
        } catch (JacksonException e) {
            throw damaged("its manifest cannot be read", e);
        }
    }

    private static JsonNode json(ZipFile zip, String name) throws IOException, ArchiveException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null || entry.getSize() > MAX_JSON_BYTES) {
            throw damaged("it has no " + name);
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return JSON.readTree(in);
        } catch (JacksonException e) {
            throw damaged(name + " cannot be read", e);
        }
    }

    Manifest manifest() {
        return manifest;
    }

    /** The content of {@code project.json}. */
    JsonNode project() throws IOException, ArchiveException {
        return json(zip, PROJECT);
    }

    /** @throws ArchiveException where an entry is missing, unknown, repeated, or differs from the manifest */
    void verify() throws IOException, ArchiveException {
        Map<String, Item> expected = itemsByName();
        var found = new HashSet<String>();
        for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
            if (entry.getName().equals(Manifest.NAME)) {
                continue;
            }
            Item item = expected.get(entry.getName());
            if (item == null || !found.add(entry.getName()) || !matches(entry, item)) {
                throw damaged(entry.getName() + " does not match the manifest");
            }
        }
        if (!found.containsAll(expected.keySet())) {
            throw damaged("files are missing");
        }
    }

    private Map<String, Item> itemsByName() throws ArchiveException {
        var items = new HashMap<String, Item>();
        for (Item item : manifest.entries()) {
            if (items.put(item.name(), item) != null) {
                throw damaged("its manifest has " + item.name() + " twice");
            }
        }
        return items;
    }

    private boolean matches(ZipEntry entry, Item item) throws IOException {
        if (entry.getSize() != item.size()) {
            return false;
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return StreamDigest.of(in, item.size()).equals(item.sha256());
        } catch (ZipException e) {
            return false;
        }
    }

    /** Receives records. */
    @FunctionalInterface
    interface Sink<T> {
        void accept(T event) throws IOException, ArchiveException;
    }

    /** Passes all turn events on: session by session, each in order. */
    void turnEvents(Sink<TurnEvent> sink) throws IOException, ArchiveException {
        records(SESSIONS, TurnEvent.class, sink);
    }

    /** Passes all memory events on: bank by bank, each in order. */
    void memoryEvents(Sink<MemoryEvent> sink) throws IOException, ArchiveException {
        records(MEMORY, MemoryEvent.class, sink);
    }

    private <T> void records(String folder, Class<T> type, Sink<T> sink) throws IOException, ArchiveException {
        var files = RecordFiles.of(type);
        for (String name : names(folder)) {
            try (InputStream in = open(name);
                    var records = files.read(in)) {
                while (records.hasNext()) {
                    sink.accept(records.next());
                }
            } catch (SerializationException | AvroRuntimeException e) {
                throw damaged(name + " cannot be read: " + e.getMessage(), e);
            }
        }
    }

    /** The entries in a folder. */
    ProjectPart.Archived folder(String name) {
        return new ProjectPart.Archived() {
            @Override
            public List<String> names() {
                return Archive.this.names(name + "/").stream()
                        .map(entry -> entry.substring(name.length() + 1))
                        .toList();
            }

            @Override
            public InputStream open(String entry) throws IOException {
                try {
                    return Archive.this.open(name + "/" + entry);
                } catch (ArchiveException e) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        };
    }

    /** The entries with this prefix, sorted. */
    List<String> names(String folder) {
        return manifest.entries().stream()
                .map(Item::name)
                .filter(name -> name.startsWith(folder))
                .sorted()
                .toList();
    }

    /** The bytes of an entry. */
    InputStream open(String name) throws IOException, ArchiveException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw damaged("it has no " + name);
        }
        return zip.getInputStream(entry);
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
