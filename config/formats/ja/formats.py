DATE_FORMAT = "Y年n月j日"
TIME_FORMAT = "H:i:s"
DATETIME_FORMAT = "Y年n月j日 H:i T"
