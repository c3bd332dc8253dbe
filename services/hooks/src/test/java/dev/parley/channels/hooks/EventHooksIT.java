package dev.parley.channels.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.channels.ChannelsSchema;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.sealing.MasterKeys;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.Somebody;
import dev.parley.platform.testkit.TestInfra;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import okhttp3.Dns;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Event webhooks of a project against Postgres. */
final class EventHooksIT {
    private static final Project PROJECT = AccessDirectory.DEFAULT_PROJECT;
    private static final Caller LEADER = Somebody.with("leader", ProjectRole.ADMIN);

    private static Repositories repositories;
    private static EventHooks hooks;

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        ChannelsSchema.migrate(Databases.single(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        Database database = repositories.database();
        HookRows rows = repositories.bean(HookRows.class);
        var sealing = new Sealing(MasterKeys.parse(Base64.getEncoder().encodeToString(new byte[32])));
        hooks = new EventHooks(
                database,
                rows,
                repositories.bean(HookDeliveryRows.class),
                new HookSecrets(database, rows, Optional.of(sealing)),
                new ReplyUrls(
                        new PowerGrants(Map.of(Power.privateHost("127.0.0.1"), Grant.UNNAMED), true), Dns.SYSTEM));
    }

    @AfterAll
    static void stop() {
        repositories.close();
    }

    @Test
    void concurrentCreationsDoNotExceedTheLimit() throws InterruptedException {
        // When
        List<Future<String>> answers;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = threads.invokeAll(Collections.<Callable<String>>nCopies(40, EventHooksIT::create));
        }

        // Then
        assertEquals(
                Map.of("created", 20L, "too_many", 20L),
                answers.stream()
                        .map(Future::resultNow)
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())));
        assertEquals(20, hooks.list(PROJECT).size());
    }

    private static String create() {
        try {
            hooks.create(LEADER, PROJECT, new EventWebhookBody("https://127.0.0.1/events", null, null, null));
            return "created";
        } catch (ApiException e) {
            return e.code();
        }
    }
}
