package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.ChannelsSchema;
import dev.parley.channels.bots.people.AllowedPeople;
import dev.parley.channels.bots.people.ChannelLinkRows;
import dev.parley.channels.bots.people.ChannelLinks;
import dev.parley.channels.bots.people.ChannelPersonRows;
import dev.parley.channels.bots.people.ChatRows;
import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.sealing.MasterKeys;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.Somebody;
import dev.parley.platform.testkit.TestInfra;
import io.micronaut.json.tree.JsonNode;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import okhttp3.Dns;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bots of a project against Postgres. */
final class ProjectBotsIT {
    private static final UUID HOST = AccessDirectory.DEFAULT_HOST;
    private static final Project PROJECT = AccessDirectory.DEFAULT_PROJECT;
    private static final Caller LEADER = Somebody.with("leader", ProjectRole.ADMIN);

    private static Repositories repositories;
    private static Database database;
    private static ProjectBots bots;

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        ChannelsSchema.migrate(Databases.single(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        database = repositories.database();
        ProjectBotRows rows = repositories.bean(ProjectBotRows.class);
        var sealing =
                Optional.of(new Sealing(MasterKeys.parse(Base64.getEncoder().encodeToString(new byte[32]))));
        var people = new AllowedPeople(database, repositories.bean(ChannelPersonRows.class), HOST);
        var links = new ChannelLinks(
                database,
                repositories.bean(ChannelLinkRows.class),
                HOST,
                new Chats(database, repositories.bean(ChatRows.class), HOST),
                AccessDirectory.NOTHING,
                _ -> {});
        bots = new ProjectBots(
                database,
                rows,
                new BotRegistry(List.of(), reference -> reference, database, rows, sealing),
                new BotStates(database, repositories.bean(BotRows.class), HOST, "one"),
                new BotRights(HOST, AccessDirectory.NOTHING, links, people),
                people,
                (_, _) -> {
                    throw new AssertionError("no bot names an agent");
                },
                sealing,
                new ReplyUrls(PowerGrants.NONE, Dns.SYSTEM));
    }

    @AfterAll
    static void stop() {
        repositories.close();
    }

    @Test
    void concurrentCreationsDoNotExceedTheLimit() throws InterruptedException {
        // Given bots that were removed, which count
        new Sql(database)
                .as(Tenant.of(HOST).project(PROJECT.project()))
                .update("""
                        INSERT INTO channels.project_bot_t
                          (host_id, bot_id, bot, project_id, project_key, kind, settings, active, update_user)
                        SELECT ?, gen_random_uuid(), 'removed-' || i, ?, ?, 'webhook', CAST('{}' AS jsonb), false, 'test'
                        FROM generate_series(1, 95) AS i
                        """, HOST, PROJECT.project(), PROJECT.projectKey());

        // When
        List<Future<String>> answers;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = threads.invokeAll(IntStream.range(0, 20)
                    .<Callable<String>>mapToObj(number -> () -> create(number))
                    .toList());
        }

        // Then
        assertEquals(
                Map.of("created", 5L, "too_many", 15L),
                answers.stream()
                        .map(Future::resultNow)
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())));
        assertEquals(5, bots.list(PROJECT).size());
    }

    @Test
    @Tag("B174")
    void aBotWhoseStoredSettingsAreRefusedIsListedChangedAndRemoved() {
        // Given two bots, of which another build has written settings of one
        var project = new Project(
                HOST, new UUID(7, 7), 1, "refused", "Refused", false, true, null, null, null, List.of(), false, null);
        for (String name : List.of("fine", "refused")) {
            String token = (name.hashCode() & 0xffff) + ":sk-sentinel-bot-token_0123456789";
            bots.create(LEADER, project, request(Map.of("name", name, "kind", "telegram", "token", token)));
        }
        new Sql(database).as(Tenant.of(HOST).project(project.project())).update("""
                        UPDATE channels.project_bot_t SET settings = settings || '{"allowedUsers": 7, "groups": "odd"}'
                        WHERE bot = 'refused'
                        """);

        // When
        Map<String, ProjectBotController.BotView> listed = bots.list(project).stream()
                .collect(Collectors.toMap(ProjectBotController.BotView::name, Function.identity()));

        // Then
        assertNull(listed.get("fine").problem());
        ProjectBotController.BotView refused = listed.get("refused");
        String problem = String.valueOf(refused.problem());
        assertTrue(problem.contains("'allowedUsers'") && problem.contains("'groups'"), problem);
        assertEquals("telegram", refused.kind());
        assertEquals(problem, String.valueOf(bots.find(project, "refused").problem()));
        assertTrue(refused.json().get("stored").get("allowedUsers").isNumber());

        // When a valid request leaves its token
        String version = "\"" + refused.version() + "\"";
        var changed = bots.change(LEADER, project, "refused", request(Map.of("allowedUsers", List.of("7"))), version);

        // Then
        assertNull(changed.problem());
        assertEquals(List.of("7"), changed.settings().get("allowedUsers"));
        bots.remove(LEADER, project, "refused", null);
        assertEquals(
                List.of("fine"),
                bots.list(project).stream()
                        .map(ProjectBotController.BotView::name)
                        .toList());
    }

    private static BotRequest request(Map<String, Object> document) {
        return new BotRequest(JsonNode.from(document));
    }

    private static String create(int number) {
        String token = number + ":sk-sentinel-bot-token_0123456789";
        try {
            bots.create(
                    LEADER,
                    PROJECT,
                    new BotRequest(JsonNode.from(Map.of("name", "bot-" + number, "kind", "telegram", "token", token))));
            return "created";
        } catch (ApiException e) {
            return e.code();
        }
    }
}
