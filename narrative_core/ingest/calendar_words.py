"""Names of months and weekdays as they stand in dates, in eight languages, and digits that are not 0 to 9."""

import re
import unicodedata
from collections.abc import Mapping

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)

# A line a month: English, Spanish, Portuguese, Italian, French, German, Russian (both cases), Arabic (all traditions),
# "_" for a blank.
_NAMES = (
    "jan january ene enero janeiro gen gennaio janv janvier jän januar jänner янв января январь "
    "يناير كانون_الثاني كانون_ثاني جانفي",
    "feb february febrero fev fevereiro febbraio fév févr février fevrier februar фев февр февраля февраль "
    "فبراير شباط فيفري",
    "mar march marzo março marco mars mär märz mrz maerz мар марта март مارس آذار اذار",
    "apr april abr abril aprile avr avril апр апреля апрель أبريل ابريل إبريل أفريل افريل نيسان",
    "may mayo mai maio mag maggio мая май مايو أيار ايار ماي مايس",
    "jun june junio junho giu giugno juin juni июн июня июнь يونيو يونيه حزيران جوان",
    "jul july julio julho lug luglio juil juillet juli июл июля июль يوليو يوليه يوليوز تموز جويلية",
    "aug august ago agosto août aout авг августа август أغسطس اغسطس آب غشت أوت اوت",
    "sep sept september septiembre setiembre set setembro settembre septembre сен сент сентября сентябрь "
    "سبتمبر أيلول ايلول شتنبر",
    "oct october octubre out outubro ott ottobre octobre okt oktober окт октября октябрь "
    "أكتوبر اكتوبر تشرين_الأول تشرين_الاول",
    "nov november noviembre novembro novembre ноя нояб ноября ноябрь نوفمبر تشرين_الثاني نونبر",
    "dec december dic diciembre dez dezembro dicembre déc décembre decembre "
    "dezember дек декабря декабрь ديسمبر كانون_الأول كانون_الاول دجنبر",
)
_WEEKDAYS = (
    "mon monday tue tues tuesday wed wednes wednesday thu thurs thursday fri friday sat satur saturday sun sunday "
    "lunes martes miércoles miercoles jueves viernes sábado sabado domingo lun mié mie jue vie sáb sab dom "
    "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira lunedì martedì mercoledì giovedì venerdì sabato "
    "domenica lundi mardi mercredi jeudi vendredi samedi dimanche mer jeu ven sam dim montag dienstag mittwoch "
    "donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so понедельник вторник среда четверг пятница "
    "суббота воскресенье пн вт ср чт пт сб вс الاثنين الإثنين الثلاثاء الأربعاء الاربعاء "
    "الخميس الجمعة السبت الأحد الاحد"
)
HIJRI_MONTHS: tuple[str, ...] = (
    *(
        "محرم",
        "صفر",
        "ربيع",
        "جمادى",
        "رجب",
        "شعبان",
        "رمضان",
        "شوال",
        "ذو القعدة",
        "ذي القعدة",
        "ذو الحجة",
        "ذي الحجة",
    ),
)
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u061c\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u202d\u202e"))

_CHINESE_NUMBER = re.compile("[〇○零一二三四五六七八九十]+(?=\\s*[年月日号號])")
_CHINESE_DIGITS = str.maketrans("〇○零一二三四五六七八九", "000123456789")

MONTH_NUMBERS: Mapping[str, int] = {
    unicodedata.normalize("NFKC", name).replace("_", " "): number
    for number, names in enumerate(_NAMES, start=1)
    for name in names.split()
}
WEEKDAYS: tuple[str, ...] = tuple(_WEEKDAYS.split())


def plain_digits(text: str) -> str:
    """Return a date with the digits 0 to 9 for those of other scripts, without marks of direction.

    Examples
    --------
    >>> plain_digits("١١/٠٧/٢٠٢١"), plain_digits("二〇二一年七月十一日")
    ('11/07/2021', '2021年7月11日')
    """
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    plain = "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in composed)
    return _CHINESE_NUMBER.sub(_chinese_number, plain)


def _chinese_number(found: re.Match[str]) -> str:
    """Return the digits of a number up to 99, or of a year written figure by figure."""
    tens, has_ten, ones = found.group().translate(_CHINESE_DIGITS).partition("十")
    return str(10 * int(tens or 1) + int(ones or 0)) if has_ten and len(ones) < 2 and "十" not in ones else tens
