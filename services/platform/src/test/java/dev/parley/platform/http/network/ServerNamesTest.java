package dev.parley.platform.http.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.http.Authority;
import java.net.InetAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By which names a server may be called, and which pages act for its users. */
class ServerNamesTest {
    private static final ServerNames DEV = new ServerNames("127.0.0.1", "", "");
    private static final ServerNames PUBLIC =
            new ServerNames("0.0.0.0", "https://Parley.example.com/base", "parley, bücher.example [2001:db8::5]");
    private static final ServerNames LAN = new ServerNames("192.168.1.5", "", "");

    private static boolean has(ServerNames names, String host, String local) throws Exception {
        InetAddress arrived = InetAddress.getByName(local);
        return Authority.parse(host).filter(name -> names.has(name, arrived)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "LocalHost:9000, true",
        "127.0.0.1, true",
        "127.1.2.3:65535, true",
        "[::1], true",
        "[::1]:8080, true",
        "[0:0:0:0:0:0:0:1]:8080, true",
        "[::ffff:127.0.0.1], true",
        "evil.example, false",
        "localhost.evil.example, false",
        "127.0.0.1.evil.example, false",
        "127.0.0.1.nip.io, false",
        "evil-localhost, false",
        "localhost., false",
        "127.0.0.1., false",
        "127.1, false",
        "2130706433, false",
        "0x7f.0.0.1, false",
        "0.0.0.0, false",
        "[::], false",
        "192.168.1.5, false",
        "user@localhost, false",
        "localhost@evil.example, false",
        "localhost:8080@evil.example, false",
        "localhost:99999, false",
        "localhost:, false",
        "localhost:80:80, false",
        "localhost:-1, false",
        "'local host', false",
        "'localhost,evil.example', false",
        "localhost/evil, false",
        "localhost#a, false",
        "::1, false",
        "[::1, false",
        "[localhost], false",
        "[fe80::1%25eth0], false",
        "'', false",
        "l\u043Ecalhost, false",
        "localhost\u0301, false",
        "localhost%00, false",
        "\u24DBocalhost, false",
    })
    @Tag("B50")
    void aServerOfThisMachineIsCalledByLoopbackNamesOnly(String host, boolean passes) throws Exception {
        assertEquals(passes, has(DEV, host, "127.0.0.1"), host);
    }

    @ParameterizedTest
    @CsvSource({
        "parley.example.com, true",
        "PARLEY.example.COM:443, true",
        "parley, true",
        "parley:8080, true",
        "xn--bcher-kva.example, true",
        "[2001:db8::5]:8080, true",
        "10.1.2.3:8080, true", // the address of the pod, as probes use it
        "10.1.2.4:8080, false",
        "localhost, true",
        "example.com, false",
        "a.parley.example.com, false",
        "parley.example.com.evil.example, false",
        "bücher.example, false",
        "169.254.169.254, false",
    })
    @Tag("B50")
    void aPublicServerIsCalledByItsNamesAndTheAddressOfTheConnection(String host, boolean passes) throws Exception {
        assertEquals(passes, has(PUBLIC, host, "10.1.2.3"), host);
    }

    @ParameterizedTest
    @CsvSource({"192.168.1.5:8080, true", "192.168.1.6, false", "localhost, true", "host.lan, false"})
    void theAddressThatItListensOnIsAName(String host, boolean passes) throws Exception {
        assertEquals(passes, has(LAN, host, "192.168.1.5"), host);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, http://localhost:8080, true",
        "localhost:8080, http://localhost:3000, false",
        "localhost:8080, http://127.0.0.1:8080, false",
        "localhost:8080, http://evil.example, false",
        "localhost:8080, null, false",
        "localhost:8080, '', false",
        "localhost:8080, file://localhost:8080, false",
        "parley, https://parley.example.com, true",
        "parley, https://parley.example.com:443, true",
        "parley, https://parley.example.com:8443, false",
        "parley, http://parley.example.com, false",
        "parley.example.com, https://parley.example.com, true",
        "parley.example.com, https://user@parley.example.com, false",
        "parley.example.com, https://parley.example.com.evil.example, false",
        "parley.example.com, https://xn--bcher-kva.example:8443, true",
        "10.1.2.3:8080, http://10.1.2.3:8080, true",
    })
    @Tag("B52")
    void aPageIsOwnWhereItsOriginIsWhatIsCalledOrConfigured(String host, String origin, boolean own) {
        assertEquals(own, PUBLIC.isOwn(origin, Authority.parse(host).orElseThrow()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://parley", "parley:8080", "*.example.com", "a b@c", "parley/"})
    void anInvalidNameIsRefusedAtStart(String name) {
        assertThrows(IllegalArgumentException.class, () -> new ServerNames("127.0.0.1", "", name));
    }
}
