package dev.parley.agents.model;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strict fakes check every request with the official SDKs; this shows that the SDKs detect faults. */
class OfficialKitsTest {
    private static String json(String text) {
        return text.replace('\'', '"');
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'model':'m','inputs':[]}",
                "{'model':'m','input':[{'type':'message','role':'robot','content':'x'}]}",
                "{'model':'m','input':[{'type':'function_call_output','call_id':'c'}]}",
                "{'model':'m','input':[{'type':'computer_call_output','call_id':'c','output':'x'}]}",
                "{'model':'m','input':[{'type':'shell_call_output','call_id':'c','output':'x'}]}",
                "{'model':'m','input':'x','tools':[{'type':'function','parameters':{},'strict':false}]}",
                "{'model':'m','input':'x','reasoning':{'effort':7}}"
            })
    void detectsAnInvalidResponsesRequest(String body) {
        assertThrows(RuntimeException.class, () -> OfficialKits.responses(json(body)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'model':'m'}",
                "{'model':'m','messages':[],'maxtokens':4}",
                "{'model':'m','messages':[{'role':'tool','content':'x'}]}",
                "{'model':'m','messages':[{'role':'assistant','tool_calls':[{'type':'function','id':'c'}]}]}"
            })
    void detectsAnInvalidChatCompletionsRequest(String body) {
        assertThrows(RuntimeException.class, () -> OfficialKits.chat(json(body)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'model':'m','messages':[]}",
                "{'model':'m','max_tokens':1,'messages':[{'role':'tool','content':'x'}]}",
                "{'model':'m','max_tokens':1,'messages':[{'role':'user','content':[{'type':'tool_result'}]}]}",
                "{'model':'m','max_tokens':1,'messages':[],'thinking':{'type':'enabled'}}",
                "{'model':'m','max_tokens':1,'messages':[],'maxtokens':1}"
            })
    void detectsAnInvalidMessagesRequest(String body) {
        assertThrows(RuntimeException.class, () -> OfficialKits.messages(json(body)));
    }

    @Test
    void acceptsValidRequests() throws IOException {
        OfficialKits.responses(json("{'model':'m','input':[{'type':'new_thing'}],'stream':true}"));
        OfficialKits.chat(json("{'model':'m','messages':[{'role':'user','content':'x'}],'stream':true}"));
        OfficialKits.messages(
                json("{'model':'m','max_tokens':1,'messages':[{'role':'user','content':'x'}],'stream':true}"));
    }
}
