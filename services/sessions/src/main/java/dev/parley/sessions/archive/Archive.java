package dev.parley.sessions.archive;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.archive.BoundedInput;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.sessions.archive.Manifest.Item;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
    private static final ObjectMapper JSON = JsonMappers.stored();

    /** Maximum bytes of a JSON document; it is read as a stream, and its values are bounded. */
    private static final long MAX_JSON = 64L << 20;

    private static final int MAX_ENTRIES = 250_000;
    private static final long MAX_DIRECTORY = 256L * MAX_ENTRIES;
    private static final long MAX_ENTRY = 4L << 30;

    /** Maximum bytes that each byte of the file becomes, beyond the first GiB; deflate reaches 1,032. */
    private static final int MAX_RATIO = 100;

    private final ZipFile zip;
    private final long fileSize;
    private final Manifest manifest;
    private final Map<String, Item> items;

    private Archive(ZipFile zip, long fileSize) throws IOException, ArchiveException {
        this.zip = zip;
        this.fileSize = fileSize;
        this.manifest = manifest(zip);
        this.items = items(manifest);
    }

    /**
     * Opens an archive.
     *
     * @throws ArchiveException where it is not an archive, or was written by a newer version
     */
    static Archive open(Path file) throws IOException, ArchiveException {
        ZipFile zip;
        try {
            ZipDirectory.requireAtMost(MAX_DIRECTORY, file);
            zip = new ZipFile(file.toFile());
        } catch (ZipException e) {
            throw damaged("it is not a complete ZIP file", e);
        }
        try {
            return new Archive(zip, Files.size(file));
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

    /** What the manifest of any version has. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Head(int format, int schemas, @Nullable String parley) {}

    private static Manifest manifest(ZipFile zip) throws IOException, ArchiveException {
        Head head = json(zip, Manifest.NAME, Head.class);
        if (head.format() > Manifest.FORMAT || head.schemas() > Export.newestSchemas()) {
            throw new ArchiveException(
                    "archive_too_new",
                    "The archive was written by a newer Parley (%s: format %d, schemas %d); this one reads format %d, schemas %d. Update this installation first."
                            .formatted(
                                    Objects.requireNonNullElse(head.parley(), "unknown"),
                                    head.format(),
                                    head.schemas(),
                                    Manifest.FORMAT,
                                    Export.newestSchemas()));
        }
        return json(zip, Manifest.NAME, Manifest.class);
    }

    /** A document of the archive, read as a stream: it may be much longer than its compressed bytes. */
    private static <T> T json(ZipFile zip, String name, Class<T> type) throws IOException, ArchiveException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw damaged("it has no " + name);
        }
        try (InputStream in = new BoundedInput(zip.getInputStream(entry), name, MAX_JSON)) {
            T read = JSON.readValue(in, type);
            if (read == null) {
                throw damaged(name + " is empty");
            }
            return read;
        } catch (ZipException | JacksonException e) {
            throw damaged(name + " cannot be read", e);
        }
    }

    Manifest manifest() {
        return manifest;
    }

    /** The content of {@code project.json}. */
    ProjectFile project() throws IOException, ArchiveException {
        return json(zip, PROJECT, ProjectFile.class);
    }

    /** @throws ArchiveException where an entry is missing, unknown, repeated, too large, or differs from the manifest */
    void verify() throws IOException, ArchiveException {
        var found = new HashSet<String>();
        long total = 0;
        for (var entries = zip.entries(); entries.hasMoreElements(); ) {
            ZipEntry entry = entries.nextElement();
            if (entry.getName().equals(Manifest.NAME)) {
                continue;
            }
            Item item = items.get(entry.getName());
            total += Math.max(0, entry.getSize());
            if (entry.getSize() > MAX_ENTRY || total > (1L << 30) + MAX_RATIO * fileSize) {
                throw damaged(entry.getName() + " is too large");
            }
            if (item == null || !found.add(entry.getName()) || !matches(entry, item)) {
                throw damaged(entry.getName() + " does not match the manifest");
            }
        }
        if (!found.containsAll(items.keySet())) {
            throw damaged("files are missing");
        }
    }

    private static Map<String, Item> items(Manifest manifest) throws ArchiveException {
        if (manifest.entries() == null || manifest.entries().size() > MAX_ENTRIES) {
            throw damaged("its manifest has no entries, or more than " + MAX_ENTRIES);
        }
        var items = new HashMap<String, Item>();
        for (Item item : manifest.entries()) {
            if (item == null || item.name() == null || item.sha256() == null) {
                throw damaged("its manifest has an entry without name or digest");
            }
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
        Item item = items.get(name);
        if (entry == null || item == null) {
            throw damaged("it has no " + name);
        }
        return new BoundedInput(zip.getInputStream(entry), name, item.size());
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
