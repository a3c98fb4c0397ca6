//! Countries: the codes of MARC for those of ISO 3166.

/// `ISO MARC`, between bars. Codes that MARC has no country for are left out.
const CODES: &str = "AE ts|AF af|AG aq|AI ag|AL aa|AM ai|AO ao|AQ ay|AR ag|AS as|AT au|AU at|AW aw|AZ aj|BA bn|BB bb\
    |BD bg|BE be|BG bu|BH ba|BI bd|BJ dm|BL sc|BM bm|BN bx|BO bo|BR bl|BS bf|BT bt|BV bv|BW bs|BY bw\
    |BZ bh|CA xxc|CC xb|CD cg|CF cx|CG cf|CH sz|CI iv|CK cw|CL cl|CM cm|CN cc|CO ck|CR cr|CU cu|CV cv\
    |CW co|CX xa|CY cy|CZ xr|DE gw|DJ ft|DK dk|DM dq|DO dr|DZ ae|EC ec|EE er|EG ua|EH ss|ER ea|ES sp\
    |ET et|FI fi|FJ fj|FK fk|FM fm|FO fa|FR fr|GA go|GB xxk|GD gd|GE gs|GF gv|GG gg|GH gh|GI gi|GL gl\
    |GM gm|GN gv|GP gp|GQ eg|GR gr|GS xs|GT gt|GU gu|GW pg|GY gy|HM hm|HN ho|HR ci|HT ht|HU hu|ID io\
    |IE ie|IL is|IM im|IN ii|IO bi|IQ iq|IR ir|IS ic|IT it|JE je|JM jm|JO jo|JP ja|KE ke|KG kg|KH cb\
    |KI gb|KM cq|KN xd|KP kn|KR ko|KW ku|KY cj|KZ kz|LB le|LC xk|LI lh|LK ce|LR lb|LS lo|LT li|LU lu\
    |LV lv|LY ly|MA mr|MC mc|MD mv|ME mo|MF st|MG mg|MH xe|MK xn|ML ml|MM br|MN mp|MP nw|MQ mq|MR mu\
    |MS mj|MT mm|MU mf|MV xc|MW mw|MX mx|MY my|MZ mz|NA sx|NC nl|NE ng|NF nx|NG nr|NI nq|NL ne|NO no\
    |NP np|NR nu|NU xh|NZ nz|OM mk|PA pn|PE pe|PF fp|PG pp|PH ph|PK pk|PL pl|PM xl|PN pc|PR pr|PT po\
    |PW pw|PY py|QA qa|RE re|RO rm|RS rb|RU ru|RW rw|SA su|SB bp|SC se|SD sj|SE sw|SG si|SH xj|SI xv\
    |SK xo|SL si|SM sm|SN sg|SO so|SR sr|SS sd|ST sf|SV es|SX sn|SY sy|TC tc|TD cd|TG tg|TH th|TJ ta\
    |TK tl|TL em|TM tk|TN ti|TO to|TR tu|TT tr|TV tv|TZ tz|UA un|UG ug|UM xxu|US xxu|UY uy|UZ uz|VA vc\
    |VC xm|VE ve|VG vb|VI vi|VN vm|VU nn|WF wf|WS ws|YE ye|YT ot|ZA sa|ZM za|ZW rh";

/// The code of a country in MARC; `xx` if it is not known.
pub(super) fn country(iso: Option<&str>) -> &'static str {
    let known = |iso: &str| CODES.split('|').find_map(|pair| pair.strip_prefix(iso)?.strip_prefix(' '));
    iso.filter(|iso| iso.len() == 2).and_then(known).unwrap_or("xx")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_have_codes_of_marc() {
        for (iso, wanted) in [
            (Some("US"), "xxu"),
            (Some("TH"), "th"),
            (Some("GB"), "xxk"),
            (Some("ZW"), "rh"),
            (Some("AX"), "xx"),
            (Some("Narnia"), "xx"),
            (Some(""), "xx"),
            (None, "xx"),
        ] {
            assert_eq!(country(iso), wanted, "{iso:?}");
        }
    }
}
