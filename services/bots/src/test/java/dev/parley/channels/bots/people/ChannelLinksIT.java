package dev.parley.channels.bots.people;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.ChannelsSchema;
import dev.parley.channels.contract.AccountLinks.Linked;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.platform.testkit.Told;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Channel links and link codes against Postgres. */
final class ChannelLinksIT {
    private static final UUID HOST = AccessDirectory.DEFAULT_HOST;
    private static final UUID ADA = Ids.of("user", "ada");
    private static final UUID BOB = Ids.of("user", "bob");

    private static Repositories repositories;
    private static Sql sql;
    private static Chats chats;
    private static ChannelLinks links;
    private static final List<AuditEntry> audited = new CopyOnWriteArrayList<>();
    private static int people;

    private final Sender sender = new Sender(Integer.toString(++people), "Somebody\nelse");

    @BeforeAll
    static void migrate() {
        var database = TestInfra.newDatabase();
        ChannelsSchema.migrate(
                Databases.single(database.owner()), database.app().user());
        repositories = Repositories.of(database.app());
        sql = new Sql(repositories.database());
        var directory = new Told();
        directory.say(new Account(HOST, ADA, 1, "ada", false, true, null, null, null));
        directory.say(new Account(HOST, BOB, 1, "bob", false, true, null, null, null));
        Database tables = repositories.database();
        chats = new Chats(tables, repositories.bean(ChatRows.class), HOST);
        links = new ChannelLinks(
                tables, repositories.bean(ChannelLinkRows.class), HOST, chats, directory, audited::add);
    }

    @AfterAll
    static void stop() {
        repositories.close();
    }

    private static String asTyped(String code) {
        return " " + code.substring(0, 4).toLowerCase(Locale.ROOT) + "-" + code.substring(4);
    }

    @Test
    void codeLinksOneSender() {
        String code = links.code(ADA);

        assertEquals(new Linked.Yes(ADA, "ada"), links.link("bot", sender, asTyped(code)));
        assertEquals(Optional.of(ADA), links.account("bot", sender.id()));
        assertEquals(Optional.empty(), links.account("other", sender.id()), "another bot");
        assertEquals(new Linked.Yes(ADA, "ada"), links.link("bot", sender, code), "the same message again");
        assertInstanceOf(Linked.WrongCode.class, links.link("bot", new Sender("x1", "Eve"), code));
        assertInstanceOf(Linked.WrongCode.class, links.link("other", sender, code));
        assertTrue(links.unlink("bot", sender.id()));
        assertFalse(links.unlink("bot", sender.id()));
        assertEquals(
                List.of("create", "remove"),
                audited.stream()
                        .filter(entry -> entry.subject().equals("bot/" + sender.id()))
                        .map(AuditEntry::action)
                        .toList());
    }

    @Test
    void newCodeReplacesTheOldOneAndAnotherAccountTakesOverTheLink() {
        String first = links.code(ADA);
        String second = links.code(ADA);
        String bobs = links.code(BOB);

        assertInstanceOf(Linked.WrongCode.class, links.link("bot", sender, first));
        links.link("bot", sender, second);
        var link = links.of(ADA).getFirst();
        assertEquals("Somebody else", link.name());
        assertEquals(new Linked.Yes(BOB, "bob"), links.link("bot", sender, bobs));

        assertEquals(Optional.of(BOB), links.account("bot", sender.id()));
        assertTrue(
                links.of(ADA).stream().noneMatch(remaining -> remaining.user().equals(sender.id())));
        assertFalse(links.remove(ADA, link.id()), "it is Bob's now");
    }

    @Test
    void codesExpireAndAreInvalidatedAndGuessesAreLimited() {
        String old = links.code(ADA);
        sql.as(Tenant.of(HOST)).update("UPDATE channels.link_code_t SET until = now() WHERE user_id = ?", ADA);
        assertInstanceOf(Linked.WrongCode.class, links.link("bot", sender, old));

        String revealed = links.code(ADA);
        links.invalidate("bot", sender, revealed);
        assertInstanceOf(Linked.WrongCode.class, links.link("bot", sender, revealed));

        String code = links.code(ADA);
        for (String guess : List.of("AAAAAAAA", "BBBBBBBB", "CCCCCCCC")) {
            links.link("bot", sender, guess);
        }
        assertInstanceOf(Linked.TooOften.class, links.link("bot", sender, code), "a right one is not looked at");
        links.invalidate("bot", sender, code);
        assertEquals(
                new Linked.Yes(ADA, "ada"), links.link("bot", new Sender("x2", "Ada"), code), "nor is it burnt so");
    }

    @Test
    void storesCodesAsDigests() {
        String code = links.code(BOB);

        long found = sql.as(Tenant.of(HOST))
                .query(
                        "SELECT count(*) FROM channels.link_code_t t WHERE strpos(t::text, ?) > 0",
                        row -> row.next() ? row.getLong(1) : -1L,
                        code);

        assertEquals(0, found);
    }

    @Test
    void unlinkingStartsANewConversation() {
        // Given
        var address = new ConversationAddress("bot", sender.id(), null);
        links.link("bot", sender, links.code(ADA));
        assertEquals(address, chats.session(address));

        // When
        assertTrue(links.unlink("bot", sender.id()));

        // Then
        assertEquals(Optional.empty(), links.account("bot", sender.id()));
        ConversationAddress session = chats.session(address);
        assertNotEquals(address, session);
        assertEquals(address, chats.now(session), "its replies come to the chat");
        assertFalse(links.unlink("bot", sender.id()));
    }
}
