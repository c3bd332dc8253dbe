package dev.parley.tools.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.tools.ToolsSchema;
import dev.parley.tools.files.WorkspaceException.Kind;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each test has a project of its own. */
class WorkspaceIT {
    private static final UUID HOST = UUID.randomUUID();
    private static final Author ANN = new Author.Person("ann");
    private static final byte[] PNG = HexFormat.of().parseHex("89504e470d0a1a0a0000000d49484452ff00fe");

    @TempDir
    private static Path folder;

    private static Repositories repositories;
    private static Database database;
    private static Workspaces workspaces;

    private final UUID project = UUID.randomUUID();
    private final Workspace files = workspaces.of(HOST, project);

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        ToolsSchema.migrate(Databases.single(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        database = repositories.database();
        workspaces = workspaces(repositories, folder);
    }

    static Workspaces workspaces(Repositories repositories, Path folder) {
        return new Workspaces(
                repositories.database(),
                new BlobStore(folder, BlobStore.MOST),
                repositories.bean(WorkspaceTables.class));
    }

    @AfterAll
    static void close() {
        repositories.close();
    }

    private FileVersion write(String path, String text) {
        return write(path, text, ANN);
    }

    private FileVersion write(String path, String text, Author author) {
        return files.write(FilePath.file(path), FileData.of(text), null, null, Precondition.NONE, author);
    }

    private FileVersion delete(String path) {
        return files.delete(FilePath.file(path), Precondition.NONE, ANN);
    }

    private String text(String path) {
        return files.read(FilePath.file(path)).content().text();
    }

    private static List<FileInfo> list(
            Workspace workspace, String prefix, @Nullable String glob, String after, int limit) {
        return workspace.select(prefix, FileFilter.of(glob, null, null), after, limit);
    }

    private static Precondition version(int expected) {
        return current -> {
            if (current != expected) {
                throw new WorkspaceException(Kind.CONFLICT, "version %d, not %d".formatted(current, expected));
            }
        };
    }

    private List<String> paths() {
        return list(files, "/", null, "", 100).stream().map(FileInfo::path).toList();
    }

    private static Kind errorKind(Supplier<?> action) {
        return assertThrows(WorkspaceException.class, action::get).kind();
    }

    private static Author.Call call(UUID turn, int step) {
        return new Author.Call("coder", UUID.randomUUID(), turn, turn, step, UUID.randomUUID());
    }

    private long count(String sql) {
        return new Sql(database)
                .as(Tenant.of(HOST).project(project))
                .query("SELECT count(*) FROM tools." + sql, row -> row.next() ? row.getLong(1) : 0);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    // ---- turns

    private static final Author.Person BOB = new Author.Person("bob");

    @Test
    @Tag("I108")
    void revertsAndRestoresTheChangesOfTurns() {
        // Given
        UUID turn = UUID.randomUUID();
        write("/kept.txt", "kept");
        write("/changed.txt", "one");
        write("/gone.txt", "here");
        String before = files.snapshot(ANN).hash();
        write("/changed.txt", "two", call(turn, 0));
        write("/changed.txt", "three", call(turn, 1));
        write("/new/file.txt", "new", call(turn, 1));
        files.delete(FilePath.file("/gone.txt"), Precondition.NONE, call(turn, 2));
        String after = files.snapshot(ANN).hash();

        // When
        UUID call = UUID.randomUUID();
        FileReversion reversion = files.revertTurns(call, List.of(turn), BOB);

        // Then
        assertEquals(List.of("/new/file.txt", "/changed.txt", "/gone.txt"), reversion.restored());
        assertEquals(List.of(), reversion.left());
        assertEquals(before, files.snapshot(ANN).hash());
        assertEquals(reversion, files.revertTurns(call, List.of(turn), BOB), "the same call does it once");
        assertEquals(Kind.CONFLICT, errorKind(() -> write("/late.txt", "late", call(turn, 3))));

        // When
        files.undoReversions(UUID.randomUUID(), List.of(call), BOB);

        // Then
        assertEquals(after, files.snapshot(ANN).hash());
        write("/late.txt", "no longer late", call(turn, 4));
    }

    @Test
    @Tag("I108")
    void revertKeepsFilesThatAnotherAuthorChangedSince() {
        // Given
        UUID turn = UUID.randomUUID();
        write("/both.txt", "agent", call(turn, 0));
        write("/mine.txt", "agent", call(turn, 0));
        write("/both.txt", "ann");

        // When
        FileReversion reversion = files.revertTurns(UUID.randomUUID(), List.of(turn), BOB);

        // Then
        assertEquals(List.of("/mine.txt"), reversion.restored());
        assertEquals(
                List.of(new FileReversion.Left("/both.txt", "somebody else has changed it since")), reversion.left());
        assertEquals("ann", text("/both.txt"));
    }

    @Test
    void revertsTurnsOneAfterTheOther() {
        // Given
        UUID first = UUID.randomUUID();
        UUID second = UUID.randomUUID();
        write("/a.txt", "0");
        write("/a.txt", "1", call(first, 0));
        write("/a.txt", "2", call(second, 0));
        UUID firstCall = UUID.randomUUID();
        UUID secondCall = UUID.randomUUID();

        // When
        files.revertTurns(firstCall, List.of(second), BOB);
        files.revertTurns(secondCall, List.of(first), BOB);

        // Then
        assertEquals("0", text("/a.txt"));

        // When
        files.undoReversions(UUID.randomUUID(), List.of(secondCall, firstCall), BOB);

        // Then
        assertEquals("2", text("/a.txt"));

        // When
        FileReversion reversion = files.revertTurns(UUID.randomUUID(), List.of(first, second), BOB);

        // Then
        assertEquals(List.of(), reversion.left());
        assertEquals("0", text("/a.txt"));
    }

    @Test
    void revertCountsFilesBeyondItsSizeLimit() {
        // Given
        UUID turn = UUID.randomUUID();
        for (int i = 0; i < 30; i++) {
            write(
                    "/%s/%d.txt".formatted("long".repeat(60) + "/" + "long".repeat(60), i) + "x".repeat(200),
                    "x",
                    call(turn, i));
        }

        // When
        FileReversion reversion = files.revertTurns(UUID.randomUUID(), List.of(turn), BOB);

        // Then
        assertEquals(30, reversion.restored().size() + reversion.more());
        assertTrue(reversion.more() > 0 && reversion.toString().length() < 32_000, reversion.toString());
    }

    @Test
    void revertsTurnsOfADelegateByTheirOwnId() {
        // Given
        UUID top = UUID.randomUUID();
        UUID turn = UUID.randomUUID();
        write("/a.txt", "x", new Author.Call("coder", UUID.randomUUID(), turn, top, 0, UUID.randomUUID()));

        // When
        FileReversion reversion = files.revertTurns(UUID.randomUUID(), List.of(turn), BOB);

        // Then
        assertEquals(List.of("/a.txt"), reversion.restored());
    }

    @Test
    void doesNotRestoreAFileOverAnother() {
        // Given
        UUID turn = UUID.randomUUID();
        write("/a.txt", "agent's target");
        files.delete(FilePath.file("/a.txt"), Precondition.NONE, call(turn, 0));
        write("/a.txt", "ann's");

        // When
        FileReversion reversion = files.revertTurns(UUID.randomUUID(), List.of(turn), BOB);

        // Then
        assertEquals(List.of(new FileReversion.Left("/a.txt", "another file has its name")), reversion.left());
        assertEquals("ann's", text("/a.txt"));
    }

    // ---- files

    @Test
    @Tag("I100")
    void onlyOneOfManyWritersOfAVersionSucceeds() throws Exception {
        // Given
        write("/a.txt", "first");
        var writers = new ArrayList<Callable<Kind>>();
        for (int i = 0; i < 6; i++) {
            var content = FileData.of("second " + i);
            writers.add(() -> {
                try {
                    files.write(FilePath.file("a.txt"), content, null, null, version(1), ANN);
                    return null;
                } catch (WorkspaceException e) {
                    return e.kind();
                }
            });
        }

        // When
        var outcomes = new ArrayList<Kind>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result : threads.invokeAll(writers)) {
                outcomes.add(result.get());
            }
        }

        // Then
        assertEquals(1, outcomes.stream().filter(kind -> kind == null).count(), outcomes.toString());
        assertEquals(5, outcomes.stream().filter(kind -> kind == Kind.CONFLICT).count());
        FileInfo file = files.find(FilePath.file("/a.txt")).orElseThrow();
        assertEquals(2, file.version());
        assertEquals(sha256(text("/a.txt").getBytes(StandardCharsets.UTF_8)), file.sha256());
        assertEquals("text/plain", file.mime());
    }

    @Test
    @Tag("I101")
    void hidesADeletedFileAndKeepsItsHistory() {
        // Given
        UUID old = write("/a.txt", "one").file();
        write("/a.txt", "two");

        // When
        FileVersion deletion = delete("/a.txt");

        // Then
        assertTrue(deletion.deletes());
        assertEquals(3, deletion.version());
        assertEquals(List.of(), paths());
        assertEquals(Kind.UNKNOWN, errorKind(() -> files.read(FilePath.file("/a.txt"))));
        assertEquals(Kind.UNKNOWN, errorKind(() -> delete("/a.txt")));

        // When
        FileVersion recreated = write("/a.txt", "three");

        // Then
        assertNotEquals(old, recreated.file());
        assertEquals(1, recreated.version());
        assertEquals(List.of("/a.txt"), paths());
        assertEquals("one", files.read(old, 1).text());
        assertEquals("two", files.read(old, 2).text());
        assertEquals(Kind.UNKNOWN, errorKind(() -> files.read(old, 3)));
        assertEquals(3, files.versions(old, Integer.MAX_VALUE, 10).size());
        assertEquals(old, files.deleted("/", "", new UUID(0, 0), 10).getFirst().id());
        assertNotNull(files.find(old).orElseThrow().deletedAt());
    }

    @Test
    @Tag("I102")
    void listsAFolderByIndex() {
        // Given
        new Sql(database).as(Tenant.of(HOST).project(project)).update("""
            INSERT INTO tools.file_t (host_id, project_id, file_id, path, mime, is_text, size, sha256, version, update_user)
            SELECT '%s', '%s', gen_random_uuid(), '/folder' || i %% 100 || '/' || i, 'text/plain', true, 0, 'x', 1, 'test'
            FROM generate_series(1, 9000) i\
            """.formatted(HOST, project));

        // When
        List<String> plan = database.in(Tenant.of(HOST).project(project), transaction -> {
            transaction.update("ANALYZE tools.file_t");
            return transaction.query(
                    "EXPLAIN SELECT path FROM tools.file_t WHERE host_id = ? AND project_id = ? AND path >= ? AND path"
                            + " < ? AND deleted_ts IS NULL ORDER BY path",
                    Columns.list(row -> row.getString(1)),
                    HOST,
                    project,
                    "/folder7/",
                    "/folder7/\uDBFF\uDFFF");
        });

        // Then
        String planText = String.join("\n", plan);
        assertTrue(planText.contains("uq_file_path") && planText.contains("(path >= "), planText);
        assertFalse(planText.contains("Sort"), planText);
        assertEquals(90, list(files, "/folder7/", null, "", 1_000).size());
        assertEquals(9, list(files, "/folder7/", "*107", "", 1_000).size());
        List<FileInfo> page = list(files, "/folder7/", null, "", 10);
        assertTrue(list(files, "/folder7/", null, page.getLast().path(), 1)
                        .getFirst()
                        .path()
                        .compareTo(page.getLast().path())
                > 0);
    }

    @Test
    void rejectsANameThatIsAlreadyAFileOrFolder() {
        write("/a/b/c.txt", "x");
        assertEquals(Kind.CONFLICT, errorKind(() -> write("/a/b", "x")));
        assertEquals(Kind.CONFLICT, errorKind(() -> write("/a/b/c.txt/d", "x")));
        write("/a/b.txt", "x");
        delete("/a/b/c.txt");
        write("/a/b", "x");
        assertEquals(
                Kind.CONFLICT, errorKind(() -> files.revert(FilePath.file("/a/b/c.txt"), 1, Precondition.NONE, ANN)));
    }

    @Test
    void limitsTheNumberOfFiles() {
        new Sql(database).as(Tenant.of(HOST).project(project)).update("""
            INSERT INTO tools.file_t (host_id, project_id, file_id, path, mime, is_text, size, sha256, version, update_user)
            SELECT '%s', '%s', gen_random_uuid(), '/f' || i, 'text/plain', true, 0, 'x', 1, 'test'
            FROM generate_series(1, %d) i\
            """.formatted(
                        HOST, project, Workspace.MAX_FILES));
        assertEquals(Kind.TOO_MANY, errorKind(() -> write("/one-more", "x")));
    }

    @Test
    void projectSeesOnlyItsOwnFiles() {
        UUID id = write("/a.txt", "mine").file();
        for (Workspace other :
                List.of(workspaces.of(HOST, UUID.randomUUID()), workspaces.of(UUID.randomUUID(), project))) {
            assertEquals(List.of(), list(other, "/", null, "", 10));
            assertEquals(Kind.UNKNOWN, errorKind(() -> other.read(id, 1)));
            assertEquals(List.of(), other.versions(id, 9, 10));
        }
    }

    // ---- versions

    @Test
    @Tag("I103")
    void returnsEveryVersionUnchanged() throws Exception {
        // Given
        var random = new SplittableRandom(3);
        var lines = new ArrayList<String>();
        for (int i = 0; i < 200; i++) {
            lines.add("line " + i + " " + random.nextLong());
        }
        UUID turn = UUID.randomUUID();
        var texts = new ArrayList<String>();
        FileVersion last = null;
        for (int i = 0; i < 60; i++) {
            lines.set(random.nextInt(lines.size()), "edit " + i);
            if (i % 7 == 0) {
                lines.remove(random.nextInt(lines.size()));
            }
            texts.add(String.join("\n", lines));
            last = write("/a.txt", texts.getLast(), call(turn, i));
        }

        // Then
        for (int version = 1; version <= texts.size(); version++) {
            FileData content = files.read(last.file(), version);
            assertEquals(texts.get(version - 1), content.text());
            FileVersion row = files.versions(last.file(), version + 1, 1).getFirst();
            assertEquals(sha256(texts.get(version - 1).getBytes(StandardCharsets.UTF_8)), row.sha256());
            assertTrue(row.byAgent());
            assertEquals(turn, row.turnId());
            assertNotNull(row.sessionId());
        }
        assertEquals(2, count("file_version_t WHERE storage_kind = 'full'"), "every fiftieth");
        String diff = files.diff(files.find(last.file()).orElseThrow(), 1, 60);
        assertTrue(diff.contains("+edit 59") && diff.contains("\n@@ "), diff);
    }

    /** The longest chain of patches ends before the next full version, whatever the number of versions. */
    @Test
    @Tag("I104")
    void readsTheLongestPatchChainQuicklyAndPatchesAreSmall() {
        // Given
        var path = FilePath.file("/large.txt");
        String text = "a line of the file that is fifty characters long!\n".repeat(20_972); // a MiB
        UUID id = write("/large.txt", text).file();
        for (int i = 1; i < Contents.CHECKPOINT + 2; i++) {
            int offset = 50 * 400 * i;
            String replacement = "edit " + i;
            files.edit(
                    path,
                    now -> now.substring(0, offset) + replacement + now.substring(offset + replacement.length()),
                    Precondition.NONE,
                    ANN);
        }

        // Then
        assertEquals(2, count("file_version_t WHERE storage_kind = 'full'"));
        assertEquals(1, count("file_version_t WHERE version = base_version AND version > 1"));
        long bytes = new Sql(database)
                .as(Tenant.of(HOST).project(project))
                .query(
                        "SELECT sum(octet_length(content)) FROM tools.file_version_t WHERE storage_kind = 'patch'",
                        row -> row.next() ? row.getLong(1) : 0);
        assertTrue(bytes < 20_000, bytes + " bytes of patches");

        long fastest = Long.MAX_VALUE; // the fastest run ignores other load of the machine
        for (int i = 0; i < 5; i++) {
            long from = System.nanoTime();
            assertTrue(files.read(id, Contents.CHECKPOINT).text().contains("edit " + (Contents.CHECKPOINT - 1)));
            fastest = Math.min(fastest, System.nanoTime() - from);
        }
        assertTrue(fastest < Duration.ofMillis(200).toNanos(), fastest / 1_000_000 + " ms");
    }

    @Test
    void rejectsContentThatDoesNotMatchItsDigest() {
        UUID id = write("/a.txt", "true").file();
        new Sql(database)
                .as(Tenant.of(HOST).project(project))
                .update("UPDATE tools.file_version_t SET content = 'false' WHERE file_id = ?", id);
        assertEquals(Kind.DAMAGED, errorKind(() -> files.read(id, 1)));
        assertEquals(Kind.DAMAGED, errorKind(() -> files.read(FilePath.file("/a.txt"))));

        // When it is overwritten
        write("/a.txt", "true again");

        assertEquals("true again", text("/a.txt"));
    }

    @Test
    @Tag("I105")
    void revertCreatesANewVersion() {
        FileVersion first = write("/a.txt", "one\n".repeat(50));
        write("/a.txt", "two");
        var path = FilePath.file("/a.txt");

        FileVersion back = files.revert(path, 1, version(2), ANN);

        assertEquals(3, back.version());
        assertEquals(first.sha256(), back.sha256());
        assertEquals("one\n".repeat(50), text("/a.txt"));
        assertEquals(Kind.UNKNOWN, errorKind(() -> files.revert(path, 9, Precondition.NONE, ANN)));
        assertEquals(Kind.CONFLICT, errorKind(() -> files.revert(path, 1, version(2), ANN)));

        // When it was deleted
        delete("/a.txt");
        FileVersion undeleted = files.revert(path, 2, version(0), ANN);

        assertEquals(5, undeleted.version());
        assertEquals(first.file(), undeleted.file());
        assertEquals("two", text("/a.txt"));
    }

    @ParameterizedTest
    @CsvSource({"UTF-16LE, \uFEFF", "UTF-8, \uFEFF", "windows-1252, ''"})
    @Tag("B151")
    void anEditKeepsTheCharsetOfAFile(Charset charset, String mark) {
        // Given
        FilePath path = FilePath.file("/charset.txt");
        byte[] bytes = (mark + "“one”\n").getBytes(charset);
        FileVersion first = files.write(path, FileData.of(bytes), null, null, Precondition.NONE, ANN);

        // When
        FileVersion edited = files.edit(path, text -> text.replace("one", "été"), Precondition.NONE, ANN);

        // Then
        assertTrue(edited.text());
        assertEquals("“été”\n", files.read(edited.file(), edited.version()).text());
        assertArrayEquals(
                (mark + "“été”\n").getBytes(charset),
                files.read(edited.file(), edited.version()).bytes());
        assertArrayEquals(bytes, files.read(first.file(), first.version()).bytes());
        FileInfo file = files.find(path).orElseThrow();
        assertTrue(
                files.diff(file, first.version(), edited.version()).toString().contains("été"));
        if (charset.name().equals("windows-1252")) {
            assertEquals(Kind.INVALID, errorKind(() -> files.edit(path, text -> text + "→", Precondition.NONE, ANN)));
        }
    }

    @Test
    @Tag("I106")
    void storesBinaryVersionsAsBlobs() {
        var path = FilePath.file("/p.png");
        for (int i = 0; i < 3; i++) {
            byte[] bytes = PNG.clone();
            bytes[bytes.length - 1] = (byte) i;
            FileVersion version = files.write(path, FileData.of(bytes), null, null, Precondition.NONE, ANN);
            assertArrayEquals(bytes, files.read(version.file(), i + 1).bytes());
        }
        assertEquals(3, count("file_version_t WHERE storage_kind = 'blob' AND content IS NULL AND NOT is_text"));
        FileInfo file = files.find(path).orElseThrow();
        assertEquals("image/png", file.mime());
        assertFalse(file.text());
        assertEquals(Kind.BINARY, errorKind(() -> files.diff(file, 1, 2)));
        assertEquals(Kind.BINARY, errorKind(() -> files.edit(path, text -> text, Precondition.NONE, ANN)));

        // When it becomes text and then binary again
        write("/p.png", "text");
        files.write(path, FileData.of(PNG), null, null, Precondition.NONE, ANN);

        assertEquals("text", files.read(file.id(), 4).text());
        assertNull(files.read(file.id(), 5).text());

        // When a version with a declared type is restored
        files.write(path, FileData.of("<a/>"), "image/svg+xml; charset=utf-8", null, Precondition.NONE, ANN);
        write("/p.png", "text");
        files.revert(path, 6, Precondition.NONE, ANN);

        assertEquals("image/svg+xml", files.find(path).orElseThrow().mime());
    }

    @Test
    void storesALargeTextAsABlob() {
        // Given
        String large = "a line\n".repeat((Contents.MAX_TEXT / 7) + 1);

        // When
        FileVersion version = write("/large.txt", large);

        // Then
        assertEquals(large, files.read(version.file(), 1).text());
        assertEquals(1, count("file_version_t WHERE storage_kind = 'blob' AND is_text"));
        assertEquals(
                Kind.TOO_LARGE,
                errorKind(() -> files.edit(FilePath.file("/large.txt"), text -> text + "x", Precondition.NONE, ANN)));
        assertEquals(
                Kind.TOO_LARGE,
                errorKind(() -> files.write(
                        FilePath.file("/x"),
                        FileData.of(new byte[Workspace.MAX_BYTES + 1]),
                        null,
                        null,
                        Precondition.NONE,
                        ANN)));
    }

    @Test
    void repeatedCallChangesNothing() {
        var first = call(UUID.randomUUID(), 0);
        FileVersion version = write("/a.txt", "one", first);
        write("/a.txt", "two");
        assertEquals(version, write("/a.txt", "one", first));
        assertEquals("two", text("/a.txt"));

        var edit = call(UUID.randomUUID(), 0);
        for (int i = 0; i < 2; i++) {
            files.edit(FilePath.file("/a.txt"), text -> text + "!", Precondition.NONE, edit);
        }
        assertEquals("two!", text("/a.txt"));

        var delete = call(UUID.randomUUID(), 0);
        for (int i = 0; i < 2; i++) {
            assertTrue(files.delete(FilePath.file("/a.txt"), Precondition.NONE, delete)
                    .deletes());
        }
        assertEquals(4, count("file_version_t"));
    }

    // ---- snapshots

    @Test
    @Tag("I107")
    void restoresASnapshotAndUndoesTheRestore() {
        for (String name : List.of("/a.txt", "/b.txt", "/c.txt", "/gone.txt", "/same.txt")) {
            write(name, "first " + name);
        }
        files.write(FilePath.file("/x/p.png"), FileData.of(PNG), null, null, Precondition.NONE, ANN);
        UUID turn = UUID.randomUUID();
        for (String name : List.of("/a.txt", "/b.txt", "/c.txt")) {
            write(name, "changed " + name, call(turn, 4));
        }
        write("/new.txt", "new", call(turn, 4));
        files.delete(FilePath.file("/gone.txt"), Precondition.NONE, call(turn, 4));
        write("/gone.txt/inside", "a folder now", call(turn, 4));
        files.write(FilePath.file("/x/p.png"), FileData.of("text"), null, null, Precondition.NONE, call(turn, 4));
        List<String> after = paths();

        // Then there was one snapshot before the step
        List<WorkspaceSnapshot> snapshots = files.snapshots(null, null, 10);
        assertEquals(1, snapshots.size());
        WorkspaceSnapshot before = snapshots.getFirst();
        assertEquals("step", before.reason());
        assertEquals(turn, before.turnId());
        assertEquals(6, before.files());
        assertEquals(6, files.entries(before.id(), "", 100).size());

        // When
        WorkspaceSnapshot.Restored restored = files.restore(before.id(), ANN);

        // Then
        assertEquals(before.hash(), restored.hash());
        assertEquals(5, restored.changed());
        assertEquals(2, restored.deleted());
        assertEquals(List.of("/a.txt", "/b.txt", "/c.txt", "/gone.txt", "/same.txt", "/x/p.png"), paths());
        assertEquals("first /a.txt", text("/a.txt"));
        assertEquals(1, files.find(FilePath.file("/same.txt")).orElseThrow().version());
        assertEquals(before.hash(), files.snapshot(ANN).hash());

        // When that is undone
        files.restore(restored.before().id(), ANN);

        // Then
        assertEquals(after, paths());
        assertEquals("changed /a.txt", text("/a.txt"));
        assertEquals("a folder now", text("/gone.txt/inside"));
        assertEquals(restored.before().hash(), files.snapshot(ANN).hash());
        assertEquals(Kind.UNKNOWN, errorKind(() -> files.restore(UUID.randomUUID(), ANN)));
    }

    @Test
    void takesOneSnapshotPerWritingStep() {
        // Given
        UUID turn = UUID.randomUUID();
        write("/a.txt", "one", call(turn, 0));
        write("/b.txt", "one", call(turn, 0));
        write("/a.txt", "two", call(turn, 2));
        assertThrows(
                WorkspaceException.class,
                () -> files.edit(FilePath.file("/none"), text -> text, Precondition.NONE, call(turn, 3)));

        // Then
        assertEquals(
                List.of("2 2", "0 0"),
                files.snapshots(null, null, 10).stream()
                        .map(snapshot -> snapshot.step() + " " + snapshot.files())
                        .toList());
        assertTrue(
                files.deleteSnapshot(files.snapshots(null, null, 1).getFirst().id()));
        assertEquals(1, files.snapshots(null, null, 10).size());
        assertEquals(0, count("snapshot_file_t"), "there was nothing before the first step");
    }

    @Test
    void keepsTheNewestAutomaticSnapshots() {
        // Given
        WorkspaceSnapshot userSnapshot = files.snapshot(ANN);
        new Sql(database).as(Tenant.of(HOST).project(project)).update("""
            INSERT INTO tools.snapshot_t (host_id, project_id, snapshot_id, hash, file_count, reason, created_ts, update_user)
            SELECT '%s', '%s', gen_random_uuid(), 'x', 0, 'restore', now() - i * interval '1 minute', 'test'
            FROM generate_series(1, %d) i\
            """.formatted(
                        HOST, project, Snapshots.MAX_SNAPSHOTS));

        // When
        write("/a.txt", "one", call(UUID.randomUUID(), 0));

        // Then
        assertEquals(Snapshots.MAX_SNAPSHOTS, count("snapshot_t WHERE reason <> 'user'"));
        assertEquals("step", files.snapshots(null, null, 1).getFirst().reason());
        assertTrue(files.findSnapshot(userSnapshot.id()).isPresent());
    }

    @Test
    @Tag("I77")
    void listsTheFilesThatATurnChanged() {
        // Given
        FileVersion a = write("/a.txt", "before");
        UUID turn = UUID.randomUUID();
        FileVersion a2 = write("/a.txt", "between", call(turn, 1));
        FileVersion a3 = write("/a.txt", "after", call(turn, 1));
        FileVersion b = write("/b.txt", "new\n", call(turn, 1));
        FileVersion deletion = files.delete(FilePath.file("/b.txt"), Precondition.NONE, call(turn, 2));
        write("/a.txt", "another turn", call(UUID.randomUUID(), 1));

        // Then
        assertEquals(
                List.of(
                        new FileChange(1, a.file(), "/a.txt", 1, 3, a.sha256(), a3.sha256()),
                        new FileChange(1, b.file(), "/b.txt", 0, 1, null, b.sha256()),
                        new FileChange(2, b.file(), "/b.txt", 1, deletion.version(), b.sha256(), null)),
                files.changes(turn));
        assertNotEquals(a2.sha256(), a3.sha256());
        FileInfo deleted = files.findAny(FilePath.file("/b.txt")).orElseThrow();
        assertTrue(files.diff(deleted, 0, 1).endsWith("+new\n"));
        assertTrue(files.diff(deleted, 1, 2).endsWith("-new\n"));
    }

    // ---- erasure and retention

    @Test
    void erasedProjectIsEmptyAndRejectsWrites() throws Exception {
        byte[] bytes = PNG.clone();
        bytes[bytes.length - 1] = 42; // no other test has these bytes
        write("/a.txt", "one", call(UUID.randomUUID(), 0));
        write("/b.txt", "one", call(UUID.randomUUID(), 0));
        FileVersion png = files.write(FilePath.file("/p.png"), FileData.of(bytes), null, null, Precondition.NONE, ANN);
        files.snapshot(ANN);
        UUID otherProject = UUID.randomUUID();
        Workspace other = workspaces.of(HOST, otherProject);
        other.write(FilePath.file("/p.png"), FileData.of(bytes), null, null, Precondition.NONE, ANN);
        other.snapshot(ANN);

        long removed = workspaces.erase(HOST, project);

        assertTrue(removed > 6, removed + " rows");
        for (String table : List.of("file_t", "file_version_t", "snapshot_t", "snapshot_file_t")) {
            assertEquals(0, count(table), table);
        }
        assertEquals(Kind.UNKNOWN, errorKind(() -> write("/late.txt", "late")));
        assertEquals(0, workspaces.erase(HOST, project));
        assertEquals(1, list(other, "/", null, "", 10).size(), "the other one has its own");
        assertEquals(1, other.snapshots(null, null, 10).size());
        assertEquals(
                Set.of(png.sha256()),
                workspaces.referenced(List.of(png.sha256(), "0".repeat(64))).orElseThrow());
        assertEquals(0, workspaces.blobs().sweep(Duration.ZERO, workspaces::referenced), "the bytes are still named");

        // When no project refers to them any more
        workspaces.erase(HOST, otherProject);

        assertEquals(1, workspaces.blobs().sweep(Duration.ZERO, workspaces::referenced));
    }

    @Test
    void purgesAutomaticSnapshotsByAge() {
        write("/a.txt", "one");
        write("/a.txt", "two", call(UUID.randomUUID(), 0));
        WorkspaceSnapshot userSnapshot = files.snapshot(ANN);

        workspaces.deleteOlderThan(Duration.ofDays(1));
        assertEquals(2, files.snapshots(null, null, 10).size());
        workspaces.deleteOlderThan(Duration.ofMinutes(-1));

        assertEquals(List.of(userSnapshot), files.snapshots(null, null, 10));
        assertEquals(1, count("snapshot_file_t"));
    }
}
