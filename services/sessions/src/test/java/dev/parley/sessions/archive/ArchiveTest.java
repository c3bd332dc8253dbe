package dev.parley.sessions.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Todo;
import dev.parley.domain.content.TodoStatus;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.MessageSent;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.TurnEvent.TodosChanged;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.platform.serde.RecordFiles;
import dev.parley.platform.serde.RecordFiles.Encoded;
import dev.parley.sessions.archive.Manifest.Counts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writing, reading and rejecting archive files. */
class ArchiveTest {
    private static final RecordFiles<TurnEvent> FILES = RecordFiles.of(TurnEvent.class);
    private static final RecordKey KEY = new RecordKey("mine", "web:1");
    private static final Instant AT = Instant.parse("2030-01-01T00:00:00.123456Z");

    @TempDir
    Path folder;

    private static EventMeta meta(long seq) {
        return new EventMeta(Ids.of("host"), KEY, KEY.sessionId(0), 0, seq, null, AT);
    }

    private static TurnEvent opened() {
        return new SessionOpened(meta(1), "web", null, "default", null, null, 0, "a title", "ann", Actor.UNKNOWN);
    }

    private static Encoded encoded(TurnEvent event) {
        var headers = new RecordHeaders();
        byte[] wire = dev.parley.platform.serde.RecordSerde.of(TurnEvent.class)
                .serializer()
                .serialize("turn-events", headers, event);
        return FILES.encode(event, headers, wire);
    }

    private Path archive(int format, int schemas, TurnEvent... events) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var file = FILES.writer(bytes)) {
            for (TurnEvent event : events) {
                file.add(encoded(event));
            }
        }
        return archive(format, schemas, bytes.toByteArray());
    }

    private Path archive(int format, int schemas, byte[] sessions) throws IOException {
        Path path = folder.resolve("archive.zip");
        try (var archive = new ArchiveWriter(path)) {
            try (OutputStream out = archive.entry("sessions/000001.avro")) {
                out.write(sessions);
            }
            archive.json("project.json", Map.of("key", "mine"));
            archive.json(
                    Manifest.NAME,
                    new Manifest(
                            format,
                            UUID.randomUUID(),
                            "9.9",
                            schemas,
                            Map.of(),
                            "mine",
                            "Mine",
                            AT.toString(),
                            Map.of(0, 7L),
                            new Counts(1, 0, 0, 1, 0, new TreeMap<>()),
                            List.of(),
                            Manifest.ABSENT,
                            archive.entries()));
        }
        return path;
    }

    private static List<TurnEvent> events(Path path) throws IOException, ArchiveException {
        var events = new ArrayList<TurnEvent>();
        try (var archive = Archive.open(path)) {
            archive.verify();
            archive.turnEvents(events::add);
        }
        return events;
    }

    @Test
    @Tag("I114")
    void readsBackWrittenEvents() throws IOException, ArchiveException {
        var sent = new MessageSent(meta(2), 1, "hello");

        assertEquals(List.of(opened(), sent), events(archive(Manifest.FORMAT, Export.newestSchemas(), opened(), sent)));
        assertEquals(sent, FILES.decode(encoded(sent)));
    }

    @Test
    @Tag("I110")
    void rejectsAnInvalidTodoList() throws IOException, ArchiveException {
        // Given two todos, both active
        var active = new Todo("a", "doing a", TodoStatus.IN_PROGRESS);
        var sent = new TodosChanged(meta(2), List.of(active, new Todo("b", "doing b", TodoStatus.PENDING)));
        assertEquals(List.of(opened(), sent), events(archive(Manifest.FORMAT, Export.newestSchemas(), opened(), sent)));
        Encoded encoded = encoded(sent);
        encoded.body()[encoded.body().length - 2] = 2; // before the end of the array, as Avro writes a 1

        // When
        var bytes = new ByteArrayOutputStream();
        try (var file = FILES.writer(bytes)) {
            file.add(encoded(opened()));
            file.add(encoded);
        }

        // Then
        Files.delete(folder.resolve("archive.zip"));
        assertDamaged(archive(Manifest.FORMAT, Export.newestSchemas(), bytes.toByteArray()));
    }

    @Test
    @Tag("I111")
    void readsArchivesOfAnOlderSchema() throws IOException, ArchiveException {
        // Given a schema version without user, title and fork of a session
        Schema today = FILES.schemas().get(FILES.branch(SessionOpened.class)).schema();
        Schema older = Schema.createRecord(today.getName(), null, today.getNamespace(), false);
        older.setFields(today.getFields().stream()
                .filter(field -> !List.of("user", "title", "forkedFrom").contains(field.name()))
                .map(field -> new Schema.Field(field, field.schema()))
                .collect(Collectors.toList()));
        var record = new GenericData.Record(older);
        var now = new org.apache.avro.generic.GenericDatumReader<org.apache.avro.generic.GenericRecord>(today)
                .read(
                        null,
                        org.apache.avro.io.DecoderFactory.get()
                                .binaryDecoder(encoded(opened()).body(), null));
        older.getFields().forEach(field -> record.put(field.name(), now.get(field.name())));
        var bytes = new ByteArrayOutputStream();
        try (var file = new DataFileWriter<Object>(new GenericDatumWriter<>())
                .create(Schema.createUnion(List.of(older)), bytes)) {
            file.append(record);
        }

        // When
        List<TurnEvent> read = events(archive(Manifest.FORMAT, 0, bytes.toByteArray()));

        // Then
        var event = assertInstanceOf(SessionOpened.class, read.getFirst());
        assertEquals(meta(1), event.meta());
        assertNull(event.title());
        assertNull(event.user());
    }

    @Test
    @Tag("I111")
    void rejectsANewerArchive() throws IOException {
        Path format = archive(Manifest.FORMAT + 1, 1, opened());
        var newer = assertThrows(ArchiveException.class, () -> Archive.open(format));
        Path schemas = archive(Manifest.FORMAT, Export.newestSchemas() + 1, opened());
        var newerSchemas = assertThrows(ArchiveException.class, () -> Archive.open(schemas));

        assertEquals("archive_too_new", newer.code());
        assertEquals("archive_too_new", newerSchemas.code());
        assertTrue(newer.getMessage().contains("Update this installation first"), newer.getMessage());
    }

    @Test
    void rejectsADamagedArchive() throws IOException {
        Path path = archive(Manifest.FORMAT, 1, opened());
        try (var zip = FileSystems.newFileSystem(path)) {
            Files.writeString(zip.getPath("project.json"), "{\"key\":\"other\"}");
        }
        assertDamaged(path);

        try (var zip = FileSystems.newFileSystem(archive(Manifest.FORMAT, 1, opened()))) {
            Files.writeString(zip.getPath("more"), "more");
        }
        assertDamaged(path);

        try (var zip = FileSystems.newFileSystem(archive(Manifest.FORMAT, 1, opened()))) {
            Files.delete(zip.getPath("project.json"));
        }
        assertDamaged(path);

        byte[] bytes = Files.readAllBytes(archive(Manifest.FORMAT, 1, opened()));
        Files.write(path, java.util.Arrays.copyOf(bytes, bytes.length - 30));
        assertDamaged(path);
    }

    @Test
    void rejectsAManifestWithARepeatedEntry() throws IOException {
        // Given
        Path path = archive(Manifest.FORMAT, 1, opened());
        try (var zip = FileSystems.newFileSystem(path)) {
            Path file = zip.getPath(Manifest.NAME);
            JsonNode manifest = new ObjectMapper().readTree(Files.readString(file));
            ArrayNode entries = manifest.withArray("/entries");
            entries.add(entries.get(0));
            Files.writeString(file, manifest.toString());
        }

        // Then
        assertDamaged(path);
    }

    @Test
    void damageKeepsItsCause() throws IOException {
        Path path = Files.writeString(folder.resolve("text.zip"), "no archive");

        var damaged = assertThrows(ArchiveException.class, () -> Archive.open(path));

        assertEquals(
                "The archive is damaged: it is not a complete ZIP file. Nothing was imported; export it again.",
                damaged.getMessage());
        assertInstanceOf(ZipException.class, damaged.getCause());
    }

    private static void assertDamaged(Path path) {
        var damaged = assertThrows(ArchiveException.class, () -> events(path));
        assertEquals("archive_damaged", damaged.code());
    }

    @Test
    void sortsMoreRowsThanFitIntoMemory() throws IOException {
        // Given
        var sorted = new ArrayList<String>();

        // When
        try (var sorter = new EventSorter(folder, 1_000)) {
            int order = 0;
            for (int i : IntStream.range(0, 500).map(i -> i * 37 % 500).toArray()) {
                sorter.add(row("mine/web:" + i % 7, i, order++, false));
            }
            sorter.add(row("mine/web:0", 7, order++, true)); // erased
            sorter.mergeTo(row -> {
                if (row.event() != null) {
                    sorted.add(new String(row.session(), StandardCharsets.UTF_8) + "#%06d".formatted(row.seq()));
                }
            });
        }

        // Then
        assertEquals(sorted.stream().sorted().toList(), sorted);
        assertEquals(499, sorted.size());
        try (var remaining = Files.list(folder)) {
            assertEquals(0, remaining.count(), "nothing stays on the disk");
        }
    }

    private static EventRow row(String session, long seq, int order, boolean tombstone) {
        return new EventRow(
                session.getBytes(StandardCharsets.UTF_8),
                seq,
                order,
                false,
                tombstone ? null : new Encoded(1, new byte[40]));
    }

    @Test
    void rejectsAFileThatIsNotAnArchive() {
        assertThrows(IOException.class, () -> FILES.read(new ByteArrayInputStream(new byte[50])));
    }

    /** Entries of a ZIP file, each with this many zeros or blanks behind its text. */
    private Path zip(Map<String, String> texts, int blanks) throws IOException {
        Path path = folder.resolve("bomb.zip");
        try (var zip = new ZipOutputStream(Files.newOutputStream(path))) {
            for (var entry : texts.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
                byte[] more = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
                for (int i = 0; i < blanks; i++) {
                    zip.write(more);
                }
                zip.closeEntry();
            }
        }
        return path;
    }

    private void assertRejected(Path path) {
        var damaged = assertThrows(ArchiveException.class, () -> {
            try (var archive = Archive.open(path)) {
                archive.verify();
                archive.project();
            }
        });
        assertEquals("archive_damaged", damaged.code(), damaged.getMessage());
    }

    @Test
    @Tag("B38")
    void rejectsAManifestThatInflatesToHundredsOfMegabytes() throws IOException {
        assertRejected(zip(Map.of("manifest.json", "{"), 220));
        assertRejected(zip(Map.of("manifest.json", "{\"entries\":[" + "{},".repeat(3_000_000) + "{}]}"), 0));
        assertRejected(zip(Map.of("manifest.json", "{\"x\":[" + "[],".repeat(3_000_000) + "[]]}"), 0));
        assertRejected(zip(Map.of("manifest.json", "[".repeat(1_000_000)), 0));
        assertRejected(zip(Map.of("manifest.json", "{\"entries\":[{\"name\":null}]}"), 0));
        assertRejected(zip(Map.of("manifest.json", "{}"), 0));
        assertRejected(zip(Map.of("manifest.json", "null"), 0));
    }

    @Test
    @Tag("B38")
    void rejectsADirectoryOfMoreBytesThanTheManifestMayName() throws IOException {
        // Given
        Path path = archive(Manifest.FORMAT, 1, opened());
        byte[] bytes = Files.readAllBytes(path);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length - 22 + 12, 1 << 30);
        Files.write(path, bytes);

        // Then
        assertRejected(path);
    }

    @Test
    @Tag("B38")
    void rejectsAnEntryLongerThanTheManifestSays() throws IOException {
        // Given an entry of which the manifest knows the beginning only
        byte[] first = new byte[1 << 16];
        String sha256 = dev.parley.domain.Sha256.hex(first);
        String manifest = """
                {"format":2,"schemas":1,"project":"mine","entries":[{"name":"blobs/a","sha256":"%s","size":1}]}
                """.formatted(sha256);
        Path path = zip(Map.of("manifest.json", manifest, "blobs/a", "\0".repeat(1 << 18)), 0);

        // Then
        assertRejected(path);
    }
}
