package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waits inside a process are measured by a clock that nobody sets; what computes with the machine's clock is listed. */
class ClocksTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.parley");

    private static final Pattern READS =
            Pattern.compile("java\\.time\\.\\w+\\.(?:now|instant|millis)|java\\.lang\\.System\\.currentTimeMillis");

    private static final Pattern COMPUTES = Pattern.compile(
            "java\\.time\\.(?:Instant|\\w+DateTime)\\.(?:plus\\w*|minus\\w*|isBefore|isAfter|until|compareTo)"
                    + "|java\\.time\\.Duration\\.between|java\\.time\\.temporal\\.ChronoUnit\\.between"
                    + "|java\\.lang\\.System\\.currentTimeMillis");

    /** What computes with the machine's clock, by the reason. */
    private static final Map<String, List<String>> KNOWN = Map.of(
            "makes deadlines and clocks that nobody sets",
            List.of("dev.parley.platform.clock.Deadline", "dev.parley.platform.clock.SteadyClock"),
            "is given such a clock",
            List.of(
                    "dev.parley.channels.discord.RateLimits",
                    "dev.parley.channels.teams.AnswerStreams",
                    "dev.parley.channels.teams.SigningKeys",
                    "dev.parley.channels.telegram.ChatBackoff",
                    "dev.parley.channels.telegram.EphemeralMessages",
                    "dev.parley.platform.config.secret.Secrets",
                    "dev.parley.server.sessionreplay.ReplayRunner",
                    "dev.parley.server.sessionreplay.SandboxSession"),
            "rows and files: when they end, and how old they are",
            List.of(
                    "dev.parley.channels.bots.people.ChannelLinks",
                    "dev.parley.channels.bots.people.LinkController",
                    "dev.parley.control.people.AccountData",
                    "dev.parley.control.people.IdentityRequests",
                    "dev.parley.control.people.SignInCodes",
                    "dev.parley.control.people.SignInThrottle",
                    "dev.parley.control.people.SignIns",
                    "dev.parley.control.people.UserController",
                    "dev.parley.control.permissions.ArchivedRules",
                    "dev.parley.memory.erasure.LateMemories",
                    "dev.parley.platform.blob.BlobStore",
                    "dev.parley.server.AuditCommand",
                    "dev.parley.sessions.api.Overviews",
                    "dev.parley.sessions.api.share.ShareController",
                    "dev.parley.sessions.api.share.ShareLinks",
                    "dev.parley.sessions.archive.JobFolder",
                    "dev.parley.sessions.archive.ProjectSnapshot",
                    "dev.parley.sessions.erasure.Eraser",
                    "dev.parley.sessions.erasure.Erasures"),
            "signed times that another process reads",
            List.of(
                    "dev.parley.channels.teams.ActivityTokens",
                    "dev.parley.control.people.KnownDevices",
                    "dev.parley.platform.bearer.TokensOfIssuers",
                    "dev.parley.platform.http.signin.BrowserSignIn",
                    "dev.parley.platform.http.signin.SignedClaim",
                    "dev.parley.platform.http.signin.Tickets"),
            "times that others give or are given: of HTTP, of a request, of records, of timers in a store",
            List.of(
                    "dev.parley.agents.model.ModelCheck",
                    "dev.parley.agents.model.wire.ProviderErrors",
                    "dev.parley.channels.contract.RetryAfter",
                    "dev.parley.client.ParleyClient",
                    "dev.parley.control.http.Checks",
                    "dev.parley.platform.streams.WakeableConsumer",
                    "dev.parley.platform.worker.WorkerLoop",
                    "dev.parley.bench.BigCatalogue",
                    "dev.parley.bench.EventLoad",
                    "dev.parley.bench.TelegramDouble",
                    "dev.parley.tools.ToolCallExecutor"),
            "metrics: how old a record is",
            List.of(
                    "dev.parley.channels.bots.delivery.ChatOutbox",
                    "dev.parley.channels.bots.delivery.RunningBot",
                    "dev.parley.channels.chat.ChatHandler",
                    "dev.parley.server.canary.CanaryMeters"));

    @Test
    @Tag("B160")
    void onlyListedClassesComputeWithTheClockOfTheMachine() {
        Set<String> reading = classes(READS);
        Set<String> found =
                classes(COMPUTES).stream().filter(reading::contains).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
                KNOWN.values().stream().flatMap(List::stream).collect(Collectors.toCollection(TreeSet::new)), found);
    }

    /** Classes outside of any other that access a member of this name. */
    private static Set<String> classes(Pattern member) {
        return CLASSES.stream()
                .flatMap(ClocksTest::accesses)
                .filter(access -> member.matcher(access.getTarget().getOwner().getName() + "."
                                + access.getTarget().getName())
                        .matches())
                .map(access -> access.getOriginOwner().getName().replaceFirst("\\$.*", ""))
                .collect(Collectors.toSet());
    }

    private static Stream<JavaAccess<?>> accesses(JavaClass type) {
        return Stream.concat(type.getAccessesFromSelf().stream(), type.getMethodReferencesFromSelf().stream());
    }
}
