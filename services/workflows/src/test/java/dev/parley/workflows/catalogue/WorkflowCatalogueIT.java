package dev.parley.workflows.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.workflows.WorkflowsSchema;
import dev.parley.workflows.catalogue.DefinitionRows.ScopedName;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Newest;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Publication;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Publication.Published;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Scope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of changes of a workflow's versions, and which of them schedules have confirmed. */
final class WorkflowCatalogueIT {
    private static final UUID HOST = Ids.of("host", "default");
    private static final Scope SCOPE = new Scope(HOST, null);

    @TempDir
    static Path folder;

    private static Repositories repositories;
    private static Database database;
    private static WorkflowCatalogue catalogue;

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        WorkflowsSchema.migrate(Databases.single(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        database = repositories.database();
        catalogue = new WorkflowCatalogue(
                repositories.bean(DefinitionRows.class),
                database,
                ConfigReader.read(Map.of("PARLEY_DATA", folder.toString())));
    }

    @AfterAll
    static void close() {
        repositories.close();
    }

    private static String yaml(String name, int version) {
        return """
                document: { dsl: '1.0.3', namespace: test, name: %s, version: '%d.0.0' }
                do: [ { one: { set: { n: 1 } } } ]
                """.formatted(name, version);
    }

    private static DefinitionRow row(Publication publication) {
        return assertInstanceOf(Published.class, publication).row();
    }

    private static DefinitionRow publish(String name, int version, String user) {
        return row(catalogue.publish(SCOPE, yaml(name, version), user));
    }

    private static Newest newest(String name) {
        return catalogue.newest(SCOPE, "test", name);
    }

    private static int number(Newest newest) {
        return Integer.parseInt(newest.row().version().replace(".0.0", ""));
    }

    private static boolean isUnconfirmed(String name) {
        return catalogue.unconfirmed().contains(new ScopedName(HOST, null, "test", name));
    }

    private static void makeOld(String name) {
        String sql = "UPDATE workflows.wf_definition_t SET update_ts = now() - interval '1 hour' WHERE name = ?";
        database.in(Tenant.of(HOST), transaction -> transaction.update(sql, name));
    }

    @Test
    void revisionGrowsWithEachChangeAndRepetition() {
        // When
        publish("grows", 2, "ann");
        Newest first = newest("grows");
        publish("grows", 1, "bob");
        Newest second = newest("grows");
        assertTrue(catalogue.delete(SCOPE, first.row(), "ann"));
        assertFalse(catalogue.delete(SCOPE, first.row(), "ann"), "it is deleted");
        Newest third = newest("grows");
        publish("grows", 1, "cleo");
        Newest repeated = newest("grows");
        publish("grows", 2, "cleo");
        Newest restored = newest("grows");

        // Then
        assertEquals(
                List.of(2, 2, 1, 2),
                Stream.of(first, second, third, restored)
                        .map(WorkflowCatalogueIT::number)
                        .toList());
        assertTrue(first.revision() < second.revision() && second.revision() < third.revision());
        assertEquals(number(third), number(repeated));
        assertTrue(third.revision() < repeated.revision(), "its schedule is set again, whatever it holds");
        assertEquals("bob", repeated.row().updatedBy());
        assertTrue(repeated.revision() < restored.revision());
        assertEquals("cleo", restored.row().updatedBy(), "whoever restores it publishes it");
    }

    @Test
    void concurrentPublicationsAreReadInTheOrderOfTheirRevisions() throws Exception {
        // When
        List<Newest> read = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Newest>> publications = IntStream.rangeClosed(1, 12)
                    .mapToObj(version -> threads.submit(() -> {
                        publish("race", version, "ann");
                        return newest("race");
                    }))
                    .toList();
            for (Future<Newest> publication : publications) {
                read.add(publication.get());
            }
        }

        // Then
        read.sort(Comparator.comparingLong(Newest::revision));
        List<Integer> numbers = read.stream().map(WorkflowCatalogueIT::number).toList();
        assertEquals(numbers.stream().sorted().toList(), numbers);
        assertEquals(12, numbers.getLast());
        assertEquals(newest("race"), read.getLast());
    }

    @Test
    void importedVersionIsScheduledWhenItIsPublished() {
        // Given
        publish("imported", 1, "ann");
        Newest before = newest("imported");

        // When
        DefinitionRow imported = row(catalogue.importVersion(SCOPE, yaml("imported", 2), "importer"));

        // Then
        assertTrue(imported.imported());
        assertEquals(before, newest("imported"), "an import changes no schedule");

        DefinitionRow published = publish("imported", 2, "bob");
        assertFalse(published.imported());
        assertEquals("bob", published.updatedBy());
        assertEquals(2, number(newest("imported")));
        assertTrue(before.revision() < newest("imported").revision());
        DefinitionRow again = row(catalogue.importVersion(SCOPE, yaml("imported", 2), "importer"));
        assertFalse(again.imported(), "nor does it stop one");
    }

    @Test
    void importOfADeletedVersionDoesNotScheduleIt() {
        // Given
        catalogue.delete(SCOPE, publish("restored", 1, "ann"), "ann");
        Newest deleted = newest("restored");
        assertNull(deleted.row());

        // When
        DefinitionRow restored = row(catalogue.importVersion(SCOPE, yaml("restored", 1), "importer"));

        // Then
        assertTrue(restored.active() && restored.imported());
        assertEquals(deleted, newest("restored"));
    }

    @Test
    void changeIsUnconfirmedUntilTheScheduleHasTakenItOver() {
        // Given
        publish("pending", 1, "ann");
        long first = newest("pending").revision();
        assertFalse(isUnconfirmed("pending"), "its publisher still updates the schedule");
        makeOld("pending");
        assertTrue(isUnconfirmed("pending"));

        // When
        catalogue.confirm(SCOPE, "test", "pending", first);

        // Then
        assertFalse(isUnconfirmed("pending"));
        publish("pending", 2, "ann");
        makeOld("pending");
        catalogue.confirm(SCOPE, "test", "pending", first);
        assertTrue(isUnconfirmed("pending"), "an older revision confirms no later change");
        catalogue.confirm(SCOPE, "test", "pending", newest("pending").revision());
        assertFalse(isUnconfirmed("pending"));
        catalogue.importVersion(SCOPE, yaml("pending", 3), "importer");
        makeOld("pending");
        assertFalse(isUnconfirmed("pending"), "an import starts no schedule");
    }
}
