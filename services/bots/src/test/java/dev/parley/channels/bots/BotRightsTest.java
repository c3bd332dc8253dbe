package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.testkit.Told;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BotRightsTest {
    private static final UUID HOST = AccessDirectory.DEFAULT_HOST;
    private static final UUID ADA = Ids.of("user", "ada");
    private static final Sender SENDER = new Sender("648", "Ada");

    private final Told directory = new Told();
    private final Map<String, UUID> linked = new HashMap<>();
    private final AccountLinks links = new AccountLinks() {
        @Override
        public Optional<UUID> account(String bot, String user) {
            return Optional.ofNullable(linked.get(bot + " " + user));
        }

        @Override
        public Linked link(String bot, Sender sender, String code) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void invalidate(String bot, Sender sender, String code) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean unlink(String bot, String user) {
            throw new UnsupportedOperationException();
        }
    };
    private final BotAudience people = new BotAudience() {
        @Override
        public boolean isAllowed(String bot, String user) {
            return user.equals("7");
        }

        @Override
        public Optional<String> code(String bot, Sender person) {
            return Optional.empty();
        }

        @Override
        public void withdraw(String bot, Sender person) {
            // nobody has a code
        }
    };
    private final BotRights rights = new BotRights(HOST, directory, links, people);

    BotRightsTest() {
        project("default", false);
        project("work", false);
        directory.say(new Account(HOST, ADA, 1, "ada", false, true, null, null, null));
    }

    private void project(String key, boolean archived) {
        directory.say(new Project(
                HOST,
                RecordKey.projectId(key),
                1,
                key,
                key,
                archived,
                false,
                null,
                null,
                null,
                List.of(),
                false,
                null));
    }

    private void member(ProjectRole role, Rule... rules) {
        linked.put("bot 648", ADA);
        directory.say(new Member(HOST, RecordKey.projectId("work"), ADA, 1, role, List.of(rules)));
    }

    private static BotConfig bot(String project, boolean allowAll, boolean pairing, String... users) {
        return bot("telegram", project, allowAll, pairing, users);
    }

    private static BotConfig bot(String kind, String project, boolean allowAll, boolean pairing, String... users) {
        return new BotConfig(
                "bot",
                kind,
                "env:X",
                URI.create("http://localhost"),
                project,
                null,
                Set.of(users),
                allowAll,
                pairing,
                Groups.MENTION,
                false,
                null,
                null,
                List.of(),
                true,
                Map.of(),
                null);
    }

    private Decision decide(BotConfig bot, Capability... required) {
        return rights.decide(bot, SENDER, required).decision();
    }

    @Test
    @Tag("I20")
    void linkedUserHasTheRightsOfTheirProjectRole() {
        BotConfig bot = bot("work", false, false);
        member(ProjectRole.MEMBER);
        var verdict = rights.decide(bot, SENDER, Capability.SESSION_SEND, Capability.FILE_WRITE);
        assertEquals(Decision.ALLOWED, verdict.decision());
        assertEquals(ADA, verdict.sender().account());

        member(ProjectRole.VIEWER);
        assertEquals(Decision.FORBIDDEN, decide(bot, Capability.SESSION_SEND));
        assertEquals(Decision.ALLOWED, decide(bot, Capability.SESSION_READ));
        assertEquals(
                Decision.FORBIDDEN, decide(bot("work", true, true, "648"), Capability.SESSION_SEND), "let in or not");

        member(ProjectRole.MEMBER, new Rule("file.write", false));
        assertEquals(Decision.ALLOWED, decide(bot, Capability.SESSION_SEND));
        assertEquals(Decision.FORBIDDEN, decide(bot, Capability.SESSION_SEND, Capability.FILE_WRITE));
    }

    @Test
    void removedMemberOrAccountLosesAccessAtOnce() {
        BotConfig bot = bot("work", false, false, "648");
        member(ProjectRole.MEMBER);
        directory.forget(Member.key(RecordKey.projectId("work"), ADA));
        assertEquals(Decision.OUTSIDE, decide(bot, Capability.SESSION_SEND));

        member(ProjectRole.MEMBER);
        directory.say(new Account(HOST, ADA, 2, "ada", false, false, null, null, null));
        assertEquals(Decision.OUTSIDE, decide(bot, Capability.SESSION_READ));
        directory.forget(Account.key(HOST, ADA));
        assertEquals(Decision.OUTSIDE, decide(bot, Capability.SESSION_READ));
    }

    @Test
    @Tag("I14")
    void rejectsTurnsInAnArchivedProject() {
        project("work", true);
        member(ProjectRole.OWNER);
        assertEquals(Decision.ARCHIVED, decide(bot("work", false, false), Capability.SESSION_SEND));
        assertEquals(Decision.ALLOWED, decide(bot("work", false, false), Capability.SESSION_READ));
        linked.clear();
        assertEquals(Decision.ARCHIVED, decide(bot("work", false, false, "648"), Capability.SESSION_SEND));
        assertEquals(Decision.UNLINKED, decide(bot("work", false, false), Capability.SESSION_SEND), "not even let in");

        project("default", true);
        assertEquals(Decision.ARCHIVED, decide(bot("default", true, false), Capability.SESSION_SEND));
    }

    @Test
    @Tag("I95")
    @Tag("I96")
    void managingAgentsNeedsALinkedAccountWithTheRight() {
        BotConfig bot = bot("work", false, false, "648");
        assertEquals(Decision.UNLINKED, decide(bot, Capability.AGENT_MANAGE), "let in, but nobody's account");
        assertEquals(Decision.UNLINKED, decide(bot("default", true, false), Capability.AGENT_MANAGE));

        member(ProjectRole.MEMBER);
        assertEquals(Decision.FORBIDDEN, decide(bot, Capability.AGENT_MANAGE));
        member(ProjectRole.OWNER, new Rule("setting.manage", true));
        assertEquals(Decision.ALLOWED, decide(bot, Capability.AGENT_MANAGE));
        assertEquals(Decision.FORBIDDEN, decide(bot, Capability.SETTING_MANAGE), "no project gives that");

        directory.say(new Account(HOST, ADA, 2, "ada", true, true, null, null, null));
        assertEquals(Decision.ALLOWED, decide(bot, Capability.SETTING_MANAGE));
    }

    @Test
    void unlinkedSenderMustBeAdmitted() {
        // Then
        assertEquals(Decision.ALLOWED, decide(bot("default", true, false), Capability.SESSION_SEND));
        assertEquals(Decision.ALLOWED, decide(bot("default", false, false, "648"), Capability.SESSION_SEND));
        assertEquals(Decision.STRANGER, decide(bot("default", false, false, "7"), Capability.SESSION_SEND));

        // a public bot does not make everybody a member of its project
        assertEquals(Decision.UNLINKED, decide(bot("work", true, false), Capability.SESSION_SEND));
        assertEquals(Decision.ALLOWED, decide(bot("work", false, false, "648"), Capability.SESSION_SEND));
        assertEquals(Decision.STRANGER, decide(bot("work", false, true), Capability.SESSION_SEND), "gets a code");
        assertEquals(
                Decision.ALLOWED,
                rights.decide(bot("work", false, true), new Sender("7", "G"), Capability.SESSION_SEND)
                        .decision());
        assertEquals(Decision.ALLOWED, decide(bot("webhook", "work", true, false), Capability.SESSION_SEND));
    }

    @Test
    void reportsAProblemWhileTheProjectDoesNotExist() {
        BotConfig bot = bot("later", true, false);
        assertTrue(rights.problem(bot).orElse("").contains("'later'"));

        project("later", false);
        assertEquals(Optional.empty(), rights.problem(bot));

        directory.say(new Project(
                Ids.of("host", "other"),
                UUID.randomUUID(),
                2,
                "later",
                "x",
                false,
                false,
                null,
                null,
                null,
                List.of(),
                false,
                null));
        assertTrue(rights.problem(bot).isPresent(), "another host's");
    }
}
