package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.domain.protocol.Opinion;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("B211")
class TeamsEventsTest {
    private static final String APP = "11111111-2222-3333-4444-555555555555";
    private static final String ANN = "6fa459ea-ee8a-3ca4-894e-db77e160355e";
    private static final String FROM =
            "'from':{'id':'29:1ann','name':'Ann','aadObjectId':'6FA459EA-ee8a-3ca4-894e-db77e160355e'}";
    private static final String PERSONAL =
            FROM + ",'recipient':{'id':'28:" + APP + "'},'conversation':{'conversationType':'personal','id':'a:1chat'}";
    private static final String CHANNEL = FROM
            + ",'recipient':{'id':'28:" + APP
            + "'},'conversation':{'conversationType':'channel','isGroup':true,'id':'19:abc@thread.tacv2;messageid=17'}";
    private static final String MENTION =
            "'entities':[{'type':'mention','text':'<at>Parley</at>','mentioned':{'id':'28:" + APP
                    + "','name':'Parley'}}]";

    private final TeamsEvents events = new TeamsEvents("teams", APP);

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree("{" + text.replace('\'', '"') + "}");
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private ChatMessage message(String activity) {
        return assertInstanceOf(ChatMessage.class, events.event(json("'type':'message','id':'9'," + activity)));
    }

    @Test
    void aPrivateChatHasTheIdOfItsPersonInEntra() {
        ChatMessage message =
                message(PERSONAL + ",'text':'hello','locale':'de-DE','timestamp':'2026-11-30T10:00:00.5Z'");

        assertEquals(new ConversationAddress("teams", ANN, null), message.address());
        assertEquals("teams:" + ANN, message.address().key("default").session());
        assertEquals(ANN, message.author().id());
        assertEquals("Ann", message.author().name());
        assertEquals("hello", message.text());
        assertEquals("de-DE", message.language());
        assertTrue(message.privately() && message.addressed());
        assertNotNull(message.sentAt());
    }

    @Test
    void aThreadOfAChannelIsAConversation() {
        ChatMessage message = message(CHANNEL + "," + MENTION + ",'text':'<at>Parley</at>&nbsp;/new please'");

        assertEquals(
                "teams:19!abc@thread.tacv2:17", message.address().key("default").session());
        assertTrue(message.addressed());
        assertFalse(message.privately());
        assertEquals("new", message.command());
        assertEquals("please", message.text());
        assertFalse(Conversation.isPrivate(message.address()));
        assertEquals(
                "19:abc@thread.tacv2",
                Conversation.ofGroup(message.address().chat()).orElseThrow());
    }

    @Test
    void aChannelMessageWithoutAThreadBeginsOne() {
        ChatMessage message = message(CHANNEL.replace(";messageid=17", "") + ",'text':'hi'");

        assertEquals("9", message.address().topic());
        assertFalse(message.addressed());
    }

    @Test
    void otherMentionsStayAsNames() {
        String both =
                "'entities':[{'type':'mention','text':'<at>Bob</at>','mentioned':{'id':'29:1bob','name':'Bob B.'}},"
                        + MENTION.substring("'entities':[".length());

        ChatMessage message = message(CHANNEL + "," + both + ",'text':'<at>Bob</at> ask <at>Parley</at>'");

        assertEquals("@Bob B. ask @Parley", message.text());
        assertTrue(message.addressed());
    }

    @Test
    void readsFilesPicturesQuotesAndForwardedMessages() {
        String attachments = "'attachments':[{'contentType':'application/vnd.microsoft.teams.file.download.info',"
                + "'name':'a/b.pdf','content':{'downloadUrl':'https://x.sharepoint.com/1'}},"
                + "{'contentType':'image/png','contentUrl':'https://smba.trafficmanager.net/1'},{'contentType':'text/html','content':'<blockquote"
                + " itemscope itemtype=\\\"http://schema.skype.com/Reply\\\""
                + " itemid=\\\"1700\\\"><p>q</p></blockquote>'},{'contentType':'messageReference','content':{'messagePreview':'see"
                + " this','messageSender':{'user':{'displayName':'Bob'}}}}]";

        ChatMessage message = message(PERSONAL + ",'text':'what is it?'," + attachments);

        assertEquals(
                List.of("https://x.sharepoint.com/1", "https://smba.trafficmanager.net/1"),
                message.attachments().stream().map(Event.Attachment::fileId).toList());
        assertEquals("application/pdf", message.attachments().getFirst().mimeType());
        assertEquals("1700", message.repliesTo());
        assertEquals("[forwarded from Bob] see this", message.context());
    }

    @Test
    void aMessageWithoutReadableContentIsNotDropped() {
        assertEquals(Event.UNREADABLE, message(PERSONAL).text());
    }

    @Test
    void editsKeepTheIdOfTheMessage() {
        String edit =
                "'type':'messageUpdate','id':'9','channelData':{'eventType':'editMessage'},'text':'new'," + PERSONAL;

        ChatMessage message = assertInstanceOf(ChatMessage.class, events.event(json(edit)));

        assertTrue(message.edited());
        assertEquals("9", message.id());
        assertInstanceOf(Event.Other.class, events.event(json(edit.replace("editMessage", "undeleteMessage"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'type':'invoke','name':'adaptiveCard/action','value':{'action':{'verb':'choice','data':{'choice':'sig|x'}}}",
                "'type':'message','value':{'choice':'sig|x'}"
            })
    void aPressHasItsSignedChoice(String kind) {
        String activity = "'id':'f:1','replyToId':'1700'," + CHANNEL + "," + kind;

        var press = assertInstanceOf(ButtonPress.class, events.event(json(activity)));

        assertEquals("sig|x", press.data());
        assertEquals("1700", press.message());
        assertEquals("17", press.address().topic());
        assertEquals("f:1", press.query());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "'type':'conversationUpdate','membersAdded':[{'id':'28:11111111-2222-3333-4444-555555555555'}]; true",
                "'type':'conversationUpdate','membersRemoved':[{'id':'28:11111111-2222-3333-4444-555555555555'}];"
                        + " false",
                "'type':'installationUpdate','action':'add'; true",
                "'type':'installationUpdate','action':'remove'; false"
            })
    void theBotIsAddedAndRemoved(String kind, boolean canWrite) {
        var change = assertInstanceOf(Membership.class, events.event(json(kind + "," + CHANNEL)));

        assertEquals(canWrite, change.canWrite());
        assertNull(change.address().topic());
    }

    @Test
    void onlyAPersonWhoInstallsTheAppIsGreeted() {
        String install = "'type':'installationUpdate','action':'add','id':'1',";
        ChatMessage greeting = events.greeting(json(install + PERSONAL));

        assertNotNull(greeting);
        assertEquals("start", greeting.command());
        assertNull(events.greeting(json(install + CHANNEL)));
        assertNull(events.greeting(json(install.replace("'add'", "'remove'") + PERSONAL)));
    }

    @Test
    void thumbsAndReactionsAreOpinions() {
        String thumbs =
                "'type':'invoke','name':'message/submitAction','replyToId':'7','value':{'actionName':'feedback',"
                        + "'actionValue':{'reaction':'dislike','feedback':'{\\\"feedbackText\\\":\\\"too long\\\"}'}},"
                        + PERSONAL;
        String reactions = "'type':'messageReaction','replyToId':'7','reactionsAdded':[{'type':'like'}],"
                + "'reactionsRemoved':[{'type':'sad'}]," + PERSONAL;

        var given = assertInstanceOf(Feedback.class, events.event(json(thumbs)));
        List<Feedback> two = events.opinions(json(reactions));

        assertEquals(Opinion.BAD, given.opinion());
        assertEquals("too long", given.reason());
        assertEquals("7", given.message());
        assertEquals(
                List.of(Opinion.GOOD, Opinion.WITHDRAWN),
                two.stream().map(Feedback::opinion).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'type':'typing'",
                "'type':'event'",
                "'type':'newThing'",
                "'type':'message','id':'1'",
                "'x':1",
                "'type':'invoke','name':'task/fetch'",
                "'type':['a']",
                "'type':'messageDelete'",
                "'type':'message','id':'1','from':{'id':'28:x'},'conversation':{'id':'a:1'}"
            })
    void otherActivitiesHaveNoEffect(String activity) {
        assertInstanceOf(Event.Other.class, events.event(json(activity)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"19:abc@thread.tacv2", "19:a/b#c%d!e+f ü@thread.v2", "19:meeting_x@thread.v2"})
    void idsOfGroupsAreAddressesAndBack(String id) {
        String chat = Conversation.chat(id);

        assertTrue(ConversationAddress.NAME.matcher(chat).matches(), chat);
        assertEquals(id, Conversation.ofGroup(chat).orElseThrow());
    }
}
